import { useCallback, useState } from 'react';
import type { ScreenQuery } from '../../lib/graphql/query/preloadQuery';
import { usePreloadedQuery } from '../../lib/graphql/query/usePreloadedQuery';
import {
  type TenantRowFragment,
  type TenantsQuery,
  type TenantsQueryVariables,
  useCheckTenantMutation,
} from './generated/tenants';

const NO_ROWS: ReadonlyMap<string, TenantRowFragment> = new Map();

/**
 * Reads the tenants of `queryRef`. Apollo does not cache them, because normalizing 5,000 tenants takes longer than all
 * other work for the screen. `check` checks one tenant; the result replaces the tenant's row until a refetch.
 */
export function useTenants(queryRef: ScreenQuery<TenantsQuery, TenantsQueryVariables>) {
  const query = usePreloadedQuery(queryRef);
  // The result of a check is cached, because the open dialog of a domain follows its hosts in the cache.
  const [sendCheck] = useCheckTenantMutation();
  const [checkedRows, setCheckedRows] = useState({ list: query.data, rows: NO_ROWS });
  if (query.data !== undefined && query.data !== checkedRows.list) setCheckedRows({ list: query.data, rows: NO_ROWS });

  const { rows } = checkedRows;
  const selectRows = useCallback(
    ({ page }: TenantsQuery) => (rows.size === 0 ? page.rows : page.rows.map((row) => rows.get(row._id) ?? row)),
    [rows],
  );
  const check = useCallback(
    async (id: string) => {
      const { data } = await sendCheck({ variables: { id } });
      if (data) setCheckedRows((before) => ({ ...before, rows: new Map(before.rows).set(id, data.checkTenant) }));
    },
    [sendCheck],
  );
  return { query, selectRows, check };
}
