/** Content of a larger file is not kept before it is replaced or deleted. */
export const largestKept = 64 * 1024 * 1024;
