import { useCallback, useEffect, useRef, useState } from 'react';
import { type Failure, failureOf, isAbort } from '../../lib/failure';
import { useRefreshOnReturn } from '../../lib/useRefreshOnReturn';
import { type SubdomainRowFragment, useSubdomainsLazyQuery } from './generated/subdomains';
import { subdomainsMessages } from './subdomains.messages';

const PAGE_SIZE = 15;
/** The most that the server gives at once. */
const MAX_PAGE_SIZE = 100;

interface Loaded {
  /** What was searched for. */
  search: string;
  rows: SubdomainRowFragment[];
  /** Null until the first page is here. */
  total: number | null;
  page: number;
  /** Nothing is left to load. */
  complete: boolean;
}

const NOTHING: Loaded = { search: '', rows: [], total: null, page: 0, complete: false };

/** Adds a page. Rows that moved to it because others were created meanwhile are not shown twice. */
function append(before: Loaded, search: string, page: number, rows: SubdomainRowFragment[], total: number): Loaded {
  const kept = page === 1 ? [] : before.rows;
  const known = new Set(kept.map(({ subdomain }) => subdomain));
  const all = [...kept, ...rows.filter(({ subdomain }) => !known.has(subdomain))];
  return { search, rows: all, total, page, complete: rows.length === 0 || all.length >= total };
}

/** The subdomains, page by page, newest first. A new search, like `reload`, begins at page 1; a failed page keeps the rows. */
export function useSubdomainPages(search: string) {
  const [query] = useSubdomainsLazyQuery({ fetchPolicy: 'no-cache' });
  const [loaded, setLoaded] = useState(NOTHING);
  const [loading, setLoading] = useState(true);
  const [failure, setFailure] = useState<Failure | null>(null);
  const latestRequest = useRef(0);
  const latest = useRef(loaded);
  const isBusy = useRef(loading);
  useEffect(() => {
    latest.current = loaded;
    isBusy.current = loading;
  }, [loaded, loading]);

  const load = useCallback(
    async (page: number) => {
      latestRequest.current += 1;
      const request = latestRequest.current;
      const isLatest = () => request === latestRequest.current;
      setLoading(true);
      setFailure(null);
      try {
        const { data, error } = await query({ variables: { page, limit: PAGE_SIZE, search: search || null } });
        if (error) throw error;
        if (!isLatest() || !data) return;
        const { subdomains, total } = data.subdomains;
        setLoaded((before) => append(before, search, page, subdomains, total));
      } catch (error) {
        if (isLatest() && !isAbort(error)) setFailure(failureOf(error, subdomainsMessages.failure.load));
      } finally {
        if (isLatest()) setLoading(false);
      }
    },
    [query, search],
  );

  useEffect(() => {
    void load(1);
  }, [load]);

  /** What is shown, as it is now, in place; of a long list its newest part. A failure keeps what is shown. */
  const refresh = useCallback(async () => {
    const shown = latest.current;
    if (shown.total === null || isBusy.current) return;
    const request = latestRequest.current;
    const limit = Math.min(Math.max(shown.rows.length, PAGE_SIZE), MAX_PAGE_SIZE);
    const { data } = await query({ variables: { page: 1, limit, search: shown.search || null } });
    if (!data || request !== latestRequest.current) return;
    const { subdomains, total } = data.subdomains;
    setLoaded((before) => {
      const known = new Set(subdomains.map(({ subdomain }) => subdomain));
      const older = before.rows.slice(limit).filter(({ subdomain }) => !known.has(subdomain));
      const rows = [...subdomains, ...older];
      return { ...before, rows, total, complete: rows.length >= total };
    });
  }, [query]);
  useRefreshOnReturn(() => refresh().catch(() => undefined));

  const replace = useCallback(
    (row: SubdomainRowFragment) =>
      setLoaded((before) => ({
        ...before,
        rows: before.rows.map((known) => (known.subdomain === row.subdomain ? row : known)),
      })),
    [],
  );

  return {
    ...loaded,
    loading,
    failure,
    loadMore: () => load(loaded.page + 1),
    reload: () => load(1),
    /** Shows what a row has become, where it is. */
    replace,
  };
}
