/** Tools for LangChain.js, and from it. */
export {}
