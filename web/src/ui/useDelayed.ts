import { useEffect, useState } from 'react';

const DELAY = 200;
const LEAST = 150;

/**
 * True from 200 ms after `busy` began (a quick answer shows no skeleton), and then for at least 150 ms (none flashes).
 * Not longer: what has arrived is to be painted within 250 ms.
 */
export function useDelayed(busy: boolean): boolean {
  const [since, setSince] = useState<number | null>(null);
  useEffect(() => {
    if (busy && since === null) {
      const timer = setTimeout(() => setSince(performance.now()), DELAY);
      return () => clearTimeout(timer);
    }
    if (!busy && since !== null) {
      const timer = setTimeout(() => setSince(null), Math.max(0, LEAST - (performance.now() - since)));
      return () => clearTimeout(timer);
    }
  }, [busy, since]);
  return since !== null;
}
