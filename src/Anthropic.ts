/** Tools for the tool runner of the Anthropic SDK. */
export {}
