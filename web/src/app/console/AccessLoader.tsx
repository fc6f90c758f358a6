import { useEffect } from 'react';
import { rememberAccess } from '../../lib/session/access';
import { useAccessQuery } from './generated/access';

let hasMounted = false;

/**
 * Reads the rights of the logged-in account. The console hides controls that these rights do not cover. The first mount
 * shares the request of the top bar. A later mount reads the rights again, and keeps the known rights if that fails.
 */
export function AccessLoader() {
  const { data, refetch } = useAccessQuery({ fetchPolicy: 'cache-first' });
  useEffect(() => {
    if (hasMounted) refetch().catch(() => undefined);
    hasMounted = true;
  }, [refetch]);
  const me = data?.me;
  useEffect(() => {
    if (me) rememberAccess({ role: me.role, projects: me.projects ?? null });
  }, [me]);
  return null;
}
