import type { ReactNode } from 'react';
import { useAccess } from '../../lib/session/access';

/** Wraps a control that changes something. Viewers see `fallback` or nothing instead. */
export function WritersOnly({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  const { canWrite } = useAccess();
  return canWrite ? children : fallback;
}
