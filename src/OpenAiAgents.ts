/** Tools for OpenAI Agents JS. */
export {}
