/** Default time limit from the last byte of a request to the first byte of its response, ms. */
export const FIRST_BYTE_TIMEOUT_MS = 60_000;
/** No default limit, because the upstream itself limits the length of bodies. */
export const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER;

/** Connection limits of this edge, in all and per client. A worker has no fixed share: one worker may hold all. */
export const MAX_CONNECTIONS = 20_000;
export const MAX_CLIENT_CONNECTIONS = 512;
