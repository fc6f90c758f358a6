/** From the request's last byte to the answer's first, where nothing else is configured. */
export const FIRST_BYTE_MS = 60_000;
/** Bodies are as long as their receivers take. */
export const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER;

/** Connections in the installation: of all clients, and of each. A single worker may have them all. */
export const CONNECTIONS = 20_000;
export const CLIENT_CONNECTIONS = 512;
