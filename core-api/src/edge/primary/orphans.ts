import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ListenAddress } from '../../listen-on';
import { PRIMARY_VARIABLE } from '../messages';
import { ListeningSocket } from './listening-socket';
import { PROGRAM } from './workers';

/** So long one that was killed may hold the port. */
const GONE_MS = 5_000;
const PAUSE_MS = 20;

const ENVIRONMENT = new RegExp(`(?:^|\\0)${PRIMARY_VARIABLE}=(\\d+)(?:\\0|$)`);

/** A worker of this program, seen with the same numbers of processes, that has another parent than the one that made it. */
function isOrphan(pid: string): boolean {
  const own = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').includes(PROGRAM);
  if (!own || readlinkSync(`/proc/${pid}/ns/pid`) !== readlinkSync('/proc/self/ns/pid')) return false;
  const [, primary] = ENVIRONMENT.exec(readFileSync(`/proc/${pid}/environ`, 'latin1')) ?? [];
  const [, parent] = /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return primary !== undefined && parent !== undefined && primary !== parent;
}

/** Workers whose primary was killed end by themselves, but for those that hang. @returns whether there was one */
function endOrphans(log: Logger): boolean {
  let found = false;
  for (const pid of processes()) {
    try {
      if (!isOrphan(pid)) continue;
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
      if (!isTaken || performance.now() > end) throw error;
      hasFound = endOrphans(log) || hasFound;
      // One that was about to end may have gone meanwhile.
      if (!hasFound && turn > 0) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
