/** Stops the server of `postgres.ts`. */
export default async function stopPostgres(): Promise<void> {
  const { stopPostgres: stop } = globalThis as { stopPostgres?: () => Promise<void> };
  await stop?.();
}
