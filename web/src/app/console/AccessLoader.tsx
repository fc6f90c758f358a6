import { useEffect } from 'react';
import { rememberAccess } from '../../lib/session/access';
import { useAccessQuery } from './generated/access';

/**
 * Reads the rights of the logged-in account. The console hides controls that these rights do not cover. Each mount reads
 * them again, because they may have changed.
 */
export function AccessLoader() {
  const me = useAccessQuery().data?.me;
  useEffect(() => {
    if (me) rememberAccess({ role: me.role, projects: me.projects ?? null });
  }, [me]);
  return null;
}
