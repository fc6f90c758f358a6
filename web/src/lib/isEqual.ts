/** Whether two values of a form are the same: text, numbers, switches, and lists and objects of such. */
export const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
