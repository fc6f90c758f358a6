import { useEffect } from 'react';
import { rememberAccess } from '../../lib/access';
import { useAccessQuery } from './generated/access';

/**
 * Asks the server for the rights of the logged-in account, which the console hides controls by. The top bar may have asked
 * already: the cache forgets the rights with the session (`lib/client`).
 */
export function AccessLoader() {
  const { data } = useAccessQuery({ fetchPolicy: 'cache-first' });
  const me = data?.me;
  useEffect(() => {
    if (me) rememberAccess({ role: me.role, projects: me.projects ?? null });
  }, [me]);
  return null;
}
