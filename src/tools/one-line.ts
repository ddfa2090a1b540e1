/** A name with control characters is shown as JSON. */
export const oneLine = (path: string): string => (/\p{Cc}/u.test(path) ? JSON.stringify(path) : path);
