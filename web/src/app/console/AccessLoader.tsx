import { useEffect } from 'react';
import { rememberAccess } from '../../lib/session/access';
import { useAccessQuery } from './generated/access';

let hasEntered = false;

/**
 * Reads the rights of the logged-in account, by which the console hides controls. The first mount shares the request of
 * the top bar. A later mount reads the rights again, because they may have changed.
 */
export function AccessLoader() {
  const { data, refetch } = useAccessQuery({ fetchPolicy: 'cache-first' });
  useEffect(() => {
    if (hasEntered) refetch().catch(() => undefined);
    hasEntered = true;
  }, [refetch]);
  const me = data?.me;
  useEffect(() => {
    if (me) rememberAccess({ role: me.role, projects: me.projects ?? null });
  }, [me]);
  return null;
}
