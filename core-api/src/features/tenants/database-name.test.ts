import cases from '../../../../scripts/checks/database-names.json';
import { fc } from '../../testing/properties';
import { createDatabaseName, isDatabaseName } from './database-name';

describe('database names', () => {
  test.each(cases)(
    'the database of the tenant $tenantName with the prefix "$dbPrefix" is called $databaseName',
    (example) => {
      expect(createDatabaseName(example.tenantName, example.dbPrefix)).toBe(example.databaseName);
      expect(isDatabaseName(example.databaseName)).toBe(example.databaseName !== '');
    },
  );

  test('a generated database name contains no capital letter and no whitespace', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const databaseName = createDatabaseName(name.toUpperCase(), 'p');
        expect(databaseName).toBe(databaseName.toLowerCase());
        expect(databaseName).not.toMatch(/\s/);
      }),
    );
  });

  test('a database name may have every printable character except blanks, `/`, `\\` and `"`, in at most 63 bytes', () => {
    expect(isDatabaseName('é'.repeat(31))).toBe(true);
    expect(isDatabaseName('é'.repeat(32))).toBe(false);
    expect(isDatabaseName('a'.repeat(63))).toBe(true);
    for (const name of ["a'b", 'a;b', 'a.b', 'a&b', '😀', 'a%b']) expect(isDatabaseName(name)).toBe(true);
    for (const name of ['a'.repeat(64), '', 'a b', 'a\u00a0b', 'a/b', 'a\\b', 'a"b', 'a\0', 'a\n', 'a\u202eb']) {
      expect(isDatabaseName(name)).toBe(false);
    }
  });
});
