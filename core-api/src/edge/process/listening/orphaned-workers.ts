import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ListenAddress } from '../../../platform/lifecycle/listen-address';
import { PRIMARY_PID_VARIABLE } from '../../ipc/messages';
import { PORT_DESCRIPTOR } from './descriptors';
import { ListeningSocket } from './listening-socket';

/** Time until a killed worker must have released the port, ms. */
const RELEASE_TIMEOUT_MS = 5_000;
const RETRY_MS = 20;

const ENVIRONMENT = new RegExp(`(?:^|\\0)${PRIMARY_PID_VARIABLE}=(\\d+)(?:\\0|$)`);
/** State of a listening socket in `/proc/net/tcp`. */
const TCP_LISTEN = '0A';

/** Returns the sockets that listen at this port on any address, as the links in `/proc/{pid}/fd` name them. */
function findListeningSockets(port: number): Set<string> {
  const portSuffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const sockets = new Set<string>();
  for (const table of ['tcp', 'tcp6']) {
    try {
      for (const line of readFileSync(`/proc/self/net/${table}`, 'latin1').split('\n')) {
        const [, local, , state, , , , , , inode] = line.trim().split(/ +/);
        if (local?.endsWith(portSuffix) && state === TCP_LISTEN) sockets.add(`socket:[${inode}]`);
      }
    } catch {
      // The system has no IPv6 or no /proc.
    }
  }
  return sockets;
}

/**
 * Returns whether a process is a worker that holds one of these sockets and has lost its primary. Process ids are
 * comparable only within one PID namespace. The program's path is not compared, because an update may have moved it.
 */
function isOrphan(pid: string, sockets: ReadonlySet<string>): boolean {
  if (!sockets.has(readlinkSync(`/proc/${pid}/fd/${PORT_DESCRIPTOR}`))) return false;
  if (readlinkSync(`/proc/${pid}/ns/pid`) !== readlinkSync('/proc/self/ns/pid')) return false;
  const [, primary] = ENVIRONMENT.exec(readFileSync(`/proc/${pid}/environ`, 'latin1')) ?? [];
  const [, parent] = /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return primary !== undefined && parent !== undefined && primary !== parent;
}

/**
 * Kills workers that have lost their primary and still hold this port. A worker exits by itself when it loses its
 * primary, unless it is hung.
 * @returns whether there was such a worker
 */
function killOrphans(port: number, log: Logger): boolean {
  const sockets = findListeningSockets(port);
  let hasFoundOrphan = false;
  for (const pid of sockets.size > 0 ? listProcessIds() : []) {
    try {
      if (!isOrphan(pid, sockets)) continue;
      process.kill(Number(pid), 'SIGKILL');
      log.warn({ pid: Number(pid) }, 'a worker that outlived its primary is killed');
      hasFoundOrphan = true;
    } catch {
      // The process has exited or belongs to another user.
    }
  }
  return hasFoundOrphan;
}

/** Returns all process ids, or none on a system without /proc. */
function listProcessIds(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Opens the port, even if orphaned workers hold it. @throws Error with a `code` if the address cannot be bound */
export async function openListeningSocket(address: ListenAddress, log: Logger): Promise<ListeningSocket> {
  const deadline = performance.now() + RELEASE_TIMEOUT_MS;
  let hasFoundOrphan = false;
  for (let turn = 0; ; turn += 1) {
    try {
      return await ListeningSocket.open(address);
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken || 'fd' in address || performance.now() > deadline) throw error;
      hasFoundOrphan = killOrphans(address.port, log) || hasFoundOrphan;
      // After the first failure, an exiting orphan may have released the port, so the port is tried once more.
      if (!hasFoundOrphan && turn > 0) throw error;
    }
    await sleep(RETRY_MS);
  }
}
