import type { Limits } from './http1/types';

/** From the request's last byte to the answer's first, where nothing else is configured. */
export const FIRST_BYTE_MS = 60_000;
/** Bodies are as long as their receivers take. */
export const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER;

const CONNECTIONS = 20_000;
/** Of one client, in the installation. */
export const CLIENT_CONNECTIONS = 512;

/** The installation's limits of connections for one worker: of all its part, of one client what `ClientLimit` lets it keep. */
export const limitsOfWorker = (workers: number): Partial<Limits> => ({
  connections: Math.ceil(CONNECTIONS / workers),
  connectionsPerAddress: CLIENT_CONNECTIONS,
});
