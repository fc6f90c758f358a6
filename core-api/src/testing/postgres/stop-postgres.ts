/** Stops the server that `start-postgres.ts` started. */
export default async function stopPostgres(): Promise<void> {
  const { stopPostgres: stop } = globalThis as { stopPostgres?: () => Promise<void> };
  await stop?.();
}
