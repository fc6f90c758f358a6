interface KeyUsage {
  name: string;
  usageCount: number;
}

/** Sum of the requests of all keys. */
export const totalUsage = (keys: readonly KeyUsage[]): number =>
  keys.reduce((sum, { usageCount }) => sum + usageCount, 0);

/** The key with the most requests; undefined if no key was ever used. */
export function mostUsedKey<Key extends KeyUsage>(keys: readonly Key[]): Key | undefined {
  const busiest = keys.reduce<Key | undefined>(
    (best, key) => (best && best.usageCount >= key.usageCount ? best : key),
    undefined,
  );
  return busiest && busiest.usageCount > 0 ? busiest : undefined;
}
