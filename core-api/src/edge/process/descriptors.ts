/** File descriptor in a worker for log lines, behind the three standard streams. */
export const OUTPUT_DESCRIPTOR = 3;

/** File descriptor in a worker of the listening port. */
export const PORT_DESCRIPTOR = 4;

/** File descriptor in a worker of the Unix socket (`EDGE_SOCKET`), if there is one. */
export const SOCKET_DESCRIPTOR = 5;
