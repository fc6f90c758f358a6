import { useCallback, useEffect, useRef, useState } from 'react';
import { failureText, isAbort } from '../../ui/failure';
import { type SubdomainRowFragment, useSubdomainsLazyQuery } from './generated/subdomains';
import { subdomainsMessages } from './subdomains.messages';

const PAGE_SIZE = 15;

interface Loaded {
  rows: SubdomainRowFragment[];
  /** Null until the first page is here. */
  total: number | null;
  page: number;
  /** Nothing is left to load. */
  complete: boolean;
}

const NOTHING: Loaded = { rows: [], total: null, page: 0, complete: false };

/** Adds a page. Rows that moved to it because others were created meanwhile are not shown twice. */
function append(before: Loaded, page: number, rows: SubdomainRowFragment[], total: number): Loaded {
  const kept = page === 1 ? [] : before.rows;
  const known = new Set(kept.map(({ subdomain }) => subdomain));
  const all = [...kept, ...rows.filter(({ subdomain }) => !known.has(subdomain))];
  return { rows: all, total, page, complete: rows.length === 0 || all.length >= total };
}

/** The subdomains, page by page, newest first. A new search, like `reload`, begins at page 1; a failed page keeps the rows. */
export function useSubdomainPages(search: string) {
  const [query] = useSubdomainsLazyQuery({ fetchPolicy: 'no-cache' });
  const [loaded, setLoaded] = useState(NOTHING);
  const [loading, setLoading] = useState(true);
  const [failure, setFailure] = useState<string | null>(null);
  const run = useRef(0);

  const load = useCallback(
    async (page: number) => {
      run.current += 1;
      const ticket = run.current;
      const isLatest = () => ticket === run.current;
      setLoading(true);
      setFailure(null);
      try {
        const { data, error } = await query({ variables: { page, limit: PAGE_SIZE, search: search || null } });
        if (error) throw error;
        if (!isLatest() || !data) return;
        const { subdomains, total } = data.subdomains;
        setLoaded((before) => append(before, page, subdomains, total));
      } catch (error) {
        if (isLatest() && !isAbort(error)) setFailure(failureText(error, subdomainsMessages.failure.load));
      } finally {
        if (isLatest()) setLoading(false);
      }
    },
    [query, search],
  );

  useEffect(() => {
    void load(1);
  }, [load]);

  return {
    ...loaded,
    loading,
    failure,
    loadMore: () => load(loaded.page + 1),
    reload: () => load(1),
    /** Shows what a row has become, where it is. */
    replace: (row: SubdomainRowFragment) =>
      setLoaded((before) => ({
        ...before,
        rows: before.rows.map((known) => (known.subdomain === row.subdomain ? row : known)),
      })),
  };
}
