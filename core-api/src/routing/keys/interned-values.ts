/** Stores equal values of many rows once, with a reference count. A row refers to its value by a number. */
export class InternedValues<Value> {
  private readonly numbers = new Map<string, number>();
  private readonly entries: ({ text: string; value: Value; references: number } | undefined)[] = [];
  private readonly freeNumbers: number[] = [];

  /** Adds a reference to a value and returns the value's number. @param create called if no value has this text */
  add(text: string, create: () => Value): number {
    const existingNumber = this.numbers.get(text);
    const entry = existingNumber === undefined ? undefined : this.entries[existingNumber];
    if (existingNumber !== undefined && entry) {
      entry.references += 1;
      return existingNumber;
    }
    const value = create();
    const number = this.freeNumbers.pop() ?? this.entries.length;
    this.entries[number] = { text, value, references: 1 };
    this.numbers.set(text, number);
    return number;
  }

  get(number: number): Value {
    const entry = this.entries[number];
    if (!entry) throw new Error(`no value has the number ${number}`);
    return entry.value;
  }

  /** Removes a reference. The value is freed with its last reference. */
  release(number: number): void {
    const entry = this.entries[number];
    if (!entry) return;
    entry.references -= 1;
    if (entry.references > 0) return;
    this.entries[number] = undefined;
    this.numbers.delete(entry.text);
    this.freeNumbers.push(number);
  }
}
