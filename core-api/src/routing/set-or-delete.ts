export function setOrDelete<Value>(values: Map<string, Value>, key: string, value: Value | null | undefined): void {
  if (value === null || value === undefined) values.delete(key);
  else values.set(key, value);
}
