import { type AuditEntry, toCsv } from './csv';

const entry: AuditEntry = {
  _id: '1',
  at: '2026-11-21T10:00:00.000Z',
  actor: 'ana',
  action: 'update',
  entity: 'project',
  entityId: '7',
  name: 'CRM "novo", 2',
  changes: [{ field: 'name', before: '"CRM"', after: '=1+1' }],
  requestId: 'r1',
  address: '',
  tokenName: null,
  count: 1,
};
const toLines = (entries: AuditEntry[]) => toCsv(entries).trimEnd().split('\r\n');

test('the CSV has a line for each changed field, and one line for an entry without changes', () => {
  const csvLines = toLines([
    { ...entry, changes: [...entry.changes, ...entry.changes] },
    { ...entry, changes: [] },
  ]);
  expect(csvLines).toHaveLength(4);
  expect(csvLines[3]).toBe('"2026-11-21T10:00:00.000Z","ana","alterou","Projeto","7","CRM ""novo"", 2","","","","r1"');
});

test('the CSV escapes texts that a spreadsheet would read as separators or as a formula', () => {
  expect(toLines([entry])[1]).toContain('"CRM ""novo"", 2","Nome","""CRM""","\'=1+1"');
});
