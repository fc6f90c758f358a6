/** The first descriptor that a service manager passes (`sd_listen_fds(3)`). */
const FIRST_PASSED_FD = 3;
/** Length of the accept queue: enough for the connections of a restart. The system may set a lower limit. */
export const BACKLOG = 4_096;

export type ListenAddress = { fd: number } | { port: number; host: string };

/** Returns the socket that systemd passes and keeps open during a restart, or else the port to listen on. */
export function chooseListenAddress(port: number, host: string): ListenAddress {
  const { LISTEN_FDS, LISTEN_PID } = process.env;
  return Number(LISTEN_FDS) > 0 && Number(LISTEN_PID) === process.pid ? { fd: FIRST_PASSED_FD } : { port, host };
}
