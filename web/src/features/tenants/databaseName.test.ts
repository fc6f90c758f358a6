import cases from '../../../../scripts/checks/database-names.json';
import { databaseName, plainDatabaseName } from './databaseName';

test.each(cases)(
  '"$tenantName" with prefix "$dbPrefix" is "$databaseName"',
  ({ tenantName, dbPrefix, databaseName: expected }) => {
    expect(databaseName(tenantName, dbPrefix)).toBe(expected);
  },
);

test.each([
  ['crm_clínica_são_josé', 'crm_clinica_sao_jose'],
  ['crm_dentes_&_cia', 'crm_dentes_cia'],
  ['24_horas', 'db_24_horas'],
  ['crm_padaria__do_zé', 'crm_padaria_do_ze'],
  ['crm__padaria', 'crm__padaria'],
  ['***', ''],
])('%p needs no quotes as %p', (name, plain) => expect(plainDatabaseName(name)).toBe(plain));
