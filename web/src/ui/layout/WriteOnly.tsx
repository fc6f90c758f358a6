import type { ReactNode } from 'react';
import { useAccess } from '../../lib/access';

/** A control that changes something: viewers do not see it, or see `fallback`. */
export function WriteOnly({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  const { canWrite } = useAccess();
  return canWrite ? children : fallback;
}
