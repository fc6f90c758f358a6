import { useKeyUsageSummaryQuery } from '../graphql/generated/key-usage';

interface KeyUsage {
  name: string;
  usageCount: number;
}

export const sumUsage = (keys: readonly KeyUsage[]): number =>
  keys.reduce((sum, { usageCount }) => sum + usageCount, 0);

/** The key with the most requests; undefined if no key was ever used. */
export const findMostUsedKey = <Key extends KeyUsage>(keys: readonly Key[]): Key | undefined =>
  keys.reduce<Key | undefined>((most, key) => (key.usageCount > (most?.usageCount ?? 0) ? key : most), undefined);

/**
 * The requests of all keys, and the key with the most requests.
 * @param isPaged if true, `keys` has only the loaded pages, and the server computes both results
 */
export function useKeyUsage<Key extends KeyUsage>(keys: readonly Key[], isPaged: boolean, pollInterval?: number) {
  const summary = useKeyUsageSummaryQuery({ pollInterval, skip: !isPaged }).data?.apiKeySummary;
  return summary ?? { usageCount: sumUsage(keys), mostUsed: findMostUsedKey(keys) };
}
