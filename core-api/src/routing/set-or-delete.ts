/** Stores a value under its key, or removes the key if the value is null or undefined. */
export function setOrDelete<Value>(values: Map<string, Value>, key: string, value: Value | null | undefined): void {
  if (value === null || value === undefined) values.delete(key);
  else values.set(key, value);
}
