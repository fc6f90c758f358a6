import cases from '../../../../scripts/checks/database-names.json';
import { databaseName } from './databaseName';

test.each(cases)(
  '"$tenantName" with prefix "$dbPrefix" is "$databaseName"',
  ({ tenantName, dbPrefix, databaseName: expected }) => {
    expect(databaseName(tenantName, dbPrefix)).toBe(expected);
  },
);
