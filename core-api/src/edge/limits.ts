import type { Limits } from './http1/types';

/** From the request's last byte to the answer's first, where nothing else is configured. */
export const FIRST_BYTE_MS = 60_000;
/** Bodies are as long as their receivers take. */
export const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER;

const CONNECTIONS = 20_000;
const CONNECTIONS_PER_ADDRESS = 512;

/** The installation's limits of connections, split by worker: each takes about as many as the others. */
export const limitsOfWorker = (workers: number): Partial<Limits> => ({
  connections: Math.ceil(CONNECTIONS / workers),
  connectionsPerAddress: Math.ceil(CONNECTIONS_PER_ADDRESS / workers),
});
