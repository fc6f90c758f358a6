import { useEffect } from 'react';
import { rememberAccess } from '../../lib/access';
import { useAccessQuery } from './generated/access';

let isEntered = false;

/**
 * Asks the server for the rights of the logged-in account, which the console hides controls by. The first entry shares the
 * request of the top bar. Each later one asks again, because rights may have changed meanwhile.
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
