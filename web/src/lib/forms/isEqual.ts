/** Compares two values of a form: texts, numbers, booleans, and lists and objects of them. */
export const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
