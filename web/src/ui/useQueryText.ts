import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';

/**
 * The text of a search, kept in the address as `?q=` (replaced, 250 ms after the last key, so that typing stays light).
 * A change of the address from elsewhere (Back) wins.
 */
export function useQueryText(): [query: string, setQuery: (query: string) => void] {
  const [params, setParams] = useSearchParams();
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
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          if (query) after.set('q', query);
          else after.delete('q');
          return after;
        },
        { replace: true, preventScrollReset: true },
      );
    }, 250);
    return () => clearTimeout(timer);
  }, [query, setParams]);

  return [query, setQuery];
}
