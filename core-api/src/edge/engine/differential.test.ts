import { compareReaders } from './testing/differential';

test.each(['request', 'response'] as const)(
  'every %s that the engine accepts is read by Node in the same way',
  (kind) => {
    const { acceptedCount, differences } = compareReaders(kind, 10_000, 20_261_121);
    expect(differences).toEqual([]);
    // Without many accepted messages, the comparison would prove nothing.
    expect(acceptedCount).toBeGreaterThan(2_000);
  },
);
