/** sd_listen_fds(3): the first descriptor that a service manager passes. */
const FIRST_PASSED = 3;
/** So many connections wait at most while nobody accepts: some seconds of a restart. The system has a limit of its own. */
export const BACKLOG = 4_096;

export type ListenAddress = { fd: number } | { port: number; host: string };

/**
 * What a server listens on: the socket that systemd holds open and passes, so that connections wait through a restart, or
 * else this port.
 */
export function listenOn(port: number, host: string): ListenAddress {
  const { LISTEN_FDS, LISTEN_PID } = process.env;
  return Number(LISTEN_FDS) > 0 && Number(LISTEN_PID) === process.pid ? { fd: FIRST_PASSED } : { port, host };
}
