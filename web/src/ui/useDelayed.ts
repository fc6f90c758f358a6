import { useEffect, useState } from 'react';

/** True from 200 ms after `busy` began (a quick answer shows no skeleton), and then for at least 400 ms (none flashes). */
export function useDelayed(busy: boolean): boolean {
  const [since, setSince] = useState<number | null>(null);
  useEffect(() => {
    if (busy && since === null) {
      const timer = setTimeout(() => setSince(performance.now()), 200);
      return () => clearTimeout(timer);
    }
    if (!busy && since !== null) {
      const timer = setTimeout(() => setSince(null), Math.max(0, 400 - (performance.now() - since)));
      return () => clearTimeout(timer);
    }
  }, [busy, since]);
  return since !== null;
}
