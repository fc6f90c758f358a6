import cases from '../../../../../scripts/checks/database-names.json';
import { createDatabaseName, suggestPlainDatabaseName } from './databaseName';

test.each(cases)(
  'the tenant "$tenantName" with the prefix "$dbPrefix" has the database name "$databaseName"',
  ({ tenantName, dbPrefix, databaseName: expected }) => {
    expect(createDatabaseName(tenantName, dbPrefix)).toBe(expected);
  },
);

test.each([
  ['crm_clínica_são_josé', 'crm_clinica_sao_jose'],
  ['crm_dentes_&_cia', 'crm_dentes_cia'],
  ['24_horas', 'db_24_horas'],
  ['crm_padaria__do_zé', 'crm_padaria_do_ze'],
  ['crm__padaria', 'crm__padaria'],
  ['***', ''],
])('the suggested plain form of the database name %p is %p', (name, plain) =>
  expect(suggestPlainDatabaseName(name)).toBe(plain),
);
