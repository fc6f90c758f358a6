/** Connection limits of this edge, in all and per client. A worker has no fixed share: one worker may hold all. */
export const MAX_CONNECTIONS = 20_000;
export const MAX_CLIENT_CONNECTIONS = 512;
