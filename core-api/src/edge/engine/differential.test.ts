import { compareReaders } from './testing/differential';

test.each(['request', 'response'] as const)('every %s that is accepted is read by Node alike', (kind) => {
  const { accepted, differences } = compareReaders(kind, 10_000, 20_261_121);
  expect(differences).toEqual([]);
  // Most messages must be accepted, or nothing was compared.
  expect(accepted).toBeGreaterThan(2_000);
});
