/** The first descriptor that a service manager passes (`sd_listen_fds(3)`). */
const FIRST_PASSED_FD = 3;
/** Length of the accept queue, which is enough for some seconds of a restart. The system may set a lower limit. */
export const BACKLOG = 4_096;

export type ListenAddress = { fd: number } | { port: number; host: string | undefined };
export type SocketAddress = { fd: number } | { path: string };

/** Returns the number of sockets that systemd passes to this process. */
function countPassedSockets(): number {
  const { LISTEN_FDS, LISTEN_PID } = process.env;
  return Number(LISTEN_PID) === process.pid ? Number(LISTEN_FDS) : 0;
}

/** Returns the socket that systemd passes and keeps open during a restart, or else the port to listen on. */
export function chooseListenAddress(port: number, host: string | undefined): ListenAddress {
  return countPassedSockets() > 0 ? { fd: FIRST_PASSED_FD } : { port, host };
}

/** Returns the second socket that systemd passes, or else the path of the Unix socket to listen on. */
export function chooseSocketAddress(path: string): SocketAddress {
  return countPassedSockets() > 1 ? { fd: FIRST_PASSED_FD + 1 } : { path };
}
