/** sd_listen_fds(3): the first descriptor that a service manager passes. */
const FIRST_PASSED = 3;
/** Backlog of the listening socket: connections that wait during a restart. `net.core.somaxconn` limits it too. */
export const BACKLOG = 4_096;

export type ListenAddress = { fd: number } | { port: number; host: string };

/** Returns the socket that systemd passes and holds open through a restart, else host and port. */
export function chooseListenAddress(port: number, host: string): ListenAddress {
  const { LISTEN_FDS, LISTEN_PID } = process.env;
  return Number(LISTEN_FDS) > 0 && Number(LISTEN_PID) === process.pid ? { fd: FIRST_PASSED } : { port, host };
}
