import { useEffect } from 'react';
import { rememberAccess } from '../../lib/session/access';
import { useAccessQuery } from './generated/access';

let isEntered = false;

/**
 * Reads the rights of the logged-in account, by which the console hides controls. The first time it shares the request
 * of the top bar. Later it reads them again, because rights may have changed.
 */
export function AccessLoader() {
  const { data, refetch } = useAccessQuery({ fetchPolicy: 'cache-first' });
  useEffect(() => {
    if (isEntered) refetch().catch(() => undefined);
    isEntered = true;
  }, [refetch]);
  const me = data?.me;
  useEffect(() => {
    if (me) rememberAccess({ role: me.role, projects: me.projects ?? null });
  }, [me]);
  return null;
}
