/** The options of a field that chooses entities by their names. */
export const rowOptions = (rows: readonly { _id: string; name: string }[] = []) =>
  rows.map(({ _id, name }) => ({ value: _id, label: name }));
