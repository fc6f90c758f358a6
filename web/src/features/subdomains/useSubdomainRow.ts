import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { findSubdomain } from './findSubdomain';
import type { SubdomainRowFragment } from './generated/subdomains';

/** The row of that name, among those that are loaded or from the server. */
export function useSubdomainRow(
  name: string | null,
  loaded: readonly SubdomainRowFragment[],
): SubdomainRowFragment | undefined {
  const client = useApolloClient();
  const [found, setFound] = useState<SubdomainRowFragment>();
  const known = loaded.find(({ subdomain }) => subdomain === name);
  const isWanted = name !== null && known === undefined;

  useEffect(() => {
    if (!isWanted) return;
    let isLatest = true;
    findSubdomain(client, name, () => isLatest)
      .then((row) => {
        if (row && isLatest) setFound(row);
      })
      // The list says why nothing comes.
      .catch(() => undefined);
    return () => {
      isLatest = false;
    };
  }, [client, isWanted, name]);

  return known ?? (found?.subdomain === name ? found : undefined);
}
