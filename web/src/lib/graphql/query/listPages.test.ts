import { gql } from '@apollo/client';
import { client } from '../client/client';
import { joinPages } from './listPages';

const query = gql`
  query Alerts($page: Int!) {
    alerts(state: open, page: $page, limit: 2) {
      alerts {
        _id
      }
      total
    }
  }
`;

function writePage(page: number, ids: string[]): void {
  const alerts = ids.map((_id) => ({ __typename: 'Alert', _id }));
  client.writeQuery({ query, variables: { page }, data: { alerts: { __typename: 'Alerts', alerts, total: 9 } } });
}
const getShownIds = () => {
  const data = client.readQuery<{ alerts: { alerts: { _id: string }[] } }>({ query, variables: { page: 1 } });
  return data?.alerts.alerts.map(({ _id }) => _id);
};

beforeEach(async () => {
  await client.clearStore();
  writePage(1, ['a', 'b']);
  writePage(2, ['c', 'd']);
});

test.each([
  ['an unchanged first page keeps the other pages', ['a', 'b'], ['a', 'b', 'c', 'd']],
  ['a new row moves the other rows down', ['new', 'a'], ['new', 'a', 'b', 'c', 'd']],
  ['a page of new rows drops the other rows, because rows between may be missing', ['x', 'y'], ['x', 'y']],
  ['a removed row leaves the list', ['a', 'c'], ['a', 'c', 'd']],
])('%s', (_, readIds, expectedIds) => {
  writePage(1, readIds);
  expect(getShownIds()).toEqual(expectedIds);
});

test('a row that moved to a later page is listed once', () => {
  writePage(2, ['b', 'c']);
  expect(getShownIds()).toEqual(['a', 'b', 'c', 'd']);
});

test('the subdomains of all pages form one list, also after the loaded rows are read again in larger pages', () => {
  const subdomainsQuery = gql`
    query Subdomains($page: Int!, $limit: Int!) {
      subdomains(page: $page, limit: $limit) {
        subdomains {
          subdomain
        }
        total
      }
    }
  `;
  const write = (page: number, limit: number, labels: string[]) =>
    client.writeQuery({
      query: subdomainsQuery,
      variables: { page, limit },
      data: {
        subdomains: {
          __typename: 'Subdomains',
          subdomains: labels.map((subdomain) => ({ __typename: 'Subdomain', subdomain })),
          total: 9,
        },
      },
    });
  const getLabels = () => {
    const variables = { page: 1, limit: 2 };
    const data = client.readQuery<{ subdomains: { subdomains: { subdomain: string }[] } }>({
      query: subdomainsQuery,
      variables,
    });
    return joinPages(data?.subdomains.subdomains).map(({ subdomain }) => subdomain);
  };
  write(1, 2, ['a', 'b']);
  write(2, 2, ['c', 'd']);
  write(3, 2, ['d', 'e']);
  expect(getLabels()).toEqual(['a', 'b', 'c', 'd', 'e']);
  write(1, 3, ['new', 'a', 'b']);
  write(2, 3, ['c', 'd', 'e']);
  expect(getLabels()).toEqual(['new', 'a', 'b', 'c', 'd', 'e']);
});

test('the audit trail keeps the entity names of all pages, each name once', () => {
  const auditQuery = gql`
    query Audit($page: Int!) {
      audit(page: $page, limit: 2) {
        entries {
          _id
        }
        names {
          _id
          name
        }
        total
      }
    }
  `;
  type Audit = { audit: { entries: { _id: string }[]; names: { _id: string }[] } };
  const write = (page: number, entryIds: string[], nameIds: string[]) =>
    client.writeQuery({
      query: auditQuery,
      variables: { page },
      data: {
        audit: {
          __typename: 'AuditPage',
          entries: entryIds.map((_id) => ({ __typename: 'AuditEntry', _id })),
          names: nameIds.map((_id) => ({ __typename: 'EntityName', _id, name: _id })),
          total: 9,
        },
      },
    });
  write(1, ['a', 'b'], ['loja']);
  write(2, ['b', 'c'], ['loja', 'crm']);
  const audit = client.readQuery<Audit>({ query: auditQuery, variables: { page: 1 } })?.audit;
  expect(audit?.entries.map(({ _id }) => _id)).toEqual(['a', 'b', 'c']);
  expect(audit?.names.map(({ _id }) => _id)).toEqual(['loja', 'crm']);
});
