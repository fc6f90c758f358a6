/** The options of a field that chooses entities by their names. */
export const toRowOptions = (rows: readonly { _id: string; name: string }[] = []) =>
  rows.map(({ _id, name }) => ({ value: _id, label: name }));
