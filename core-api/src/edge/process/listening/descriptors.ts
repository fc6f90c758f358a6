/** File descriptor of the log lines in a worker, after the three standard streams. */
export const OUTPUT_DESCRIPTOR = 3;

/** File descriptor of the listening port in a worker. */
export const PORT_DESCRIPTOR = 4;

/** File descriptor of the Unix socket (`EDGE_SOCKET`) in a worker, if there is one. */
export const SOCKET_DESCRIPTOR = 5;
