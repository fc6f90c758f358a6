import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ListenAddress } from '../../listen-on';
import { PORT_DESCRIPTOR } from '../descriptors';
import { PRIMARY_VARIABLE } from '../messages';
import { ListeningSocket } from './listening-socket';

/** So long one that was killed may hold the port. */
const GONE_MS = 5_000;
const PAUSE_MS = 20;

const ENVIRONMENT = new RegExp(`(?:^|\\0)${PRIMARY_VARIABLE}=(\\d+)(?:\\0|$)`);
/** As the kernel's tables of sockets have it. */
const LISTENING = '0A';

/** What of a process's descriptors stands for a socket that listens at this port, on whichever address. */
function listeningAt(port: number): Set<string> {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const found = new Set<string>();
  for (const table of ['tcp', 'tcp6']) {
    try {
      for (const line of readFileSync(`/proc/self/net/${table}`, 'latin1').split('\n')) {
        const [, local, , state, , , , , , inode] = line.trim().split(/ +/);
        if (local?.endsWith(end) && state === LISTENING) found.add(`socket:[${inode}]`);
      }
    } catch {
      // A system without IPv6, or that does not tell.
    }
  }
  return found;
}

/**
 * A worker that holds one of these sockets, and has another parent than the one that made it: seen with the same numbers
 * of processes. Where its program lies may have changed since.
 */
function isOrphan(pid: string, sockets: ReadonlySet<string>): boolean {
  if (!sockets.has(readlinkSync(`/proc/${pid}/fd/${PORT_DESCRIPTOR}`))) return false;
  if (readlinkSync(`/proc/${pid}/ns/pid`) !== readlinkSync('/proc/self/ns/pid')) return false;
  const [, primary] = ENVIRONMENT.exec(readFileSync(`/proc/${pid}/environ`, 'latin1')) ?? [];
  const [, parent] = /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return primary !== undefined && parent !== undefined && primary !== parent;
}

/**
 * Workers whose primary was killed end by themselves, but for those that hang. What another installation left at another
 * port is in nobody's way.
 * @returns whether there was one
 */
function endOrphans(port: number, log: Logger): boolean {
  const sockets = listeningAt(port);
  let found = false;
  for (const pid of sockets.size > 0 ? processes() : []) {
    try {
      if (!isOrphan(pid, sockets)) continue;
      process.kill(Number(pid), 'SIGKILL');
      log.warn({ pid: Number(pid) }, 'a worker that outlived its primary is ended');
      found = true;
    } catch {
      // It has gone, or is somebody else's.
    }
  }
  return found;
}

/** Their numbers; none on a system that does not tell them so. */
function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** The port, from workers that outlived their primary too. @throws when the address cannot be had */
export async function openPort(address: ListenAddress, log: Logger): Promise<ListeningSocket> {
  const end = performance.now() + GONE_MS;
  let hasFound = false;
  for (let turn = 0; ; turn += 1) {
    try {
      return await ListeningSocket.open(address);
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken || 'fd' in address || performance.now() > end) throw error;
      hasFound = endOrphans(address.port, log) || hasFound;
      // One that was about to end may have gone meanwhile.
      if (!hasFound && turn > 0) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
