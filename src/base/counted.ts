/** `1 plan`, `2 plans`; `many` where the plural is not made by an s. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
