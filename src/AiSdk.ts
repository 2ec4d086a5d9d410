/** Tools for the AI SDK, and from it. */
export {}
