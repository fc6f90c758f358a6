/** sd_listen_fds(3): the first descriptor that a service manager passes. */
const FIRST_PASSED = 3;
/** Length of the accept queue: enough for some seconds of a restart. The system has a limit of its own. */
export const BACKLOG = 4_096;

export type ListenAddress = { fd: number } | { port: number; host: string | undefined };
export type SocketAddress = { fd: number } | { path: string };

/** The number of sockets that systemd passes to this process. */
function countPassedSockets(): number {
  const { LISTEN_FDS, LISTEN_PID } = process.env;
  return Number(LISTEN_PID) === process.pid ? Number(LISTEN_FDS) : 0;
}

/**
 * The address to listen on: the socket that systemd passes (socket activation), whose connections wait through a
 * restart, or else the port.
 */
export function listenOn(port: number, host: string | undefined): ListenAddress {
  return countPassedSockets() > 0 ? { fd: FIRST_PASSED } : { port, host };
}

/** The Unix socket to listen on: the second one that systemd passes, or else the path. */
export function listenOnSocket(path: string): SocketAddress {
  return countPassedSockets() > 1 ? { fd: FIRST_PASSED + 1 } : { path };
}
