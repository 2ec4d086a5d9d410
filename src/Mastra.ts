/** Tools for Mastra. */
export {}
