import type { LiveFragment } from '../../lib/graphql/generated/shared';
import { getSiteHost } from '../../lib/hosts/host';
import { notifySaved } from '../../lib/notifications/notifySaved';
import { type TenantRowFragment, useCheckTenantMutation } from './generated/tenants';

/** Returns a function that notifies that a tenant was saved, and whether its target responds. */
export function useNotifyTenant() {
  const [check] = useCheckTenantMutation();
  return (text: string, { _id, subdomain }: Pick<TenantRowFragment, '_id' | 'subdomain'>, live?: LiveFragment | null) =>
    void notifySaved(
      text,
      getSiteHost(subdomain),
      live ?? null,
      async () => (await check({ variables: { id: _id } })).data?.checkTenant,
    );
}
