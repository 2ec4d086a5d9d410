/** Toolsets for frameworks that know nothing of Effect: neutral tools, and the run that they share. */
export {}
