/** Tools for the agents of `langchain`. */
export {}
