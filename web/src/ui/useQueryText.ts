import { useEffect, useRef, useState } from 'react';
import { useAddress } from './useAddress';

/**
 * The text of a search, kept in the address as `?q=` (replaced, 250 ms after the last key, so that typing stays light).
 * A change of the address from elsewhere (Back) wins.
 */
export function useQueryText(): [query: string, setQuery: (query: string) => void] {
  const { params, change } = useAddress();
  const inAddress = params.get('q') ?? '';
  const [query, setQuery] = useState(inAddress);
  const written = useRef(inAddress);

  useEffect(() => {
    if (inAddress === written.current) return;
    written.current = inAddress;
    setQuery(inAddress);
  }, [inAddress]);

  useEffect(() => {
    if (query === written.current) return;
    const timer = setTimeout(() => {
      written.current = query;
      change(
        (after) => {
          if (query) after.set('q', query);
          else after.delete('q');
        },
        { replace: true },
      );
    }, 250);
    return () => clearTimeout(timer);
  }, [query, change]);

  return [query, setQuery];
}
