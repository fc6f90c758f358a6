/** Helpers of the benchmarks start external programs, measure a process tree, and run wrk. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';

const startedPrograms = new Set();
// nginx ends its workers on SIGTERM, but not when it is killed.
process.on('exit', () => {
  for (const child of startedPrograms) child.kill(child.spawnfile === 'nginx' ? 'SIGTERM' : 'SIGKILL');
});

/** Starts a program and records its output in `output`. The program is killed when the benchmark ends. */
export function start(command, args, options = {}) {
  const spawned = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const child = Object.assign(spawned, { output: '' });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data) => {
      child.output = (child.output + data).slice(-20_000);
    });
  }
  startedPrograms.add(child);
  child.once('exit', () => startedPrograms.delete(child));
  return child;
}

/** Ends a program and waits for its exit. */
export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 12_000);
  await ended;
  clearTimeout(force);
}

export const acceptsConnections = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).once('error', () => resolve(false));
  });

export const isInstalled = (program) => spawnSync('which', [program]).status === 0;

/** Returns the ids of a process and its descendants. */
function listProcessTree(root) {
  const children = new Map();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const { parentPid } = readStat(entry);
      children.set(parentPid, [...(children.get(parentPid) ?? []), Number(entry)]);
    } catch (error) {
      if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error; // The process has ended.
    }
  }
  const listDescendants = (pid) => [pid, ...(children.get(pid) ?? []).flatMap(listDescendants)];
  return listDescendants(root);
}

/** Reads the parent and the processor time (user plus system) of a process from /proc/PID/stat (proc_pid_stat(5)). */
const readStat = (pid) => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, in parentheses, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { parentPid: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
};

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Measures user plus system time of a process tree in microseconds. */
export const measureProcessorTime = (root) =>
  listProcessTree(root).reduce((sum, pid) => sum + readStat(pid).ticks, 0) * (1_000_000 / ticksPerSecond);

/** Measures the resident memory of a process tree in bytes. */
export const measureResidentMemory = (root) =>
  listProcessTree(root).reduce((sum, pid) => {
    const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return sum + Number(line?.[1] ?? 0) * 1024;
  }, 0);

const parseDuration = (text) => {
  // wrk prints `nan` if no request was answered.
  const [, value = Number.NaN, unit = 's'] = /([\d.]+)(us|ms|s|m)/.exec(text) ?? [];
  return Number(value) * { us: 0.001, ms: 1, s: 1000, m: 60_000 }[unit];
};

/**
 * @typedef {object} LoadOptions
 * @property {number} seconds
 * @property {number} [connections]
 * @property {number} [threads]
 * @property {Record<string, string>} [headers]
 * @property {string} [script] path of a Lua script for wrk
 * @property {number} [timeoutS] time after which a response counts as failed
 */

/**
 * Runs wrk once.
 * @param {string} url
 * @param {LoadOptions} options
 * @returns `p50` and `p99` in ms; `failed` counts answers other than 2xx and 3xx, and socket errors
 */
export async function wrk(url, { seconds, connections = 64, threads = 1, headers = {}, script, timeoutS = 2 }) {
  const args = ['--latency', `-t${threads}`, `-c${connections}`, `-d${seconds}s`, '--timeout', `${timeoutS}s`];
  for (const [name, value] of Object.entries(headers)) args.push('-H', `${name}: ${value}`);
  if (script) args.push('-s', script);
  const child = start('wrk', [...args, url]);
  await new Promise((resolve) => child.once('close', resolve));
  const text = child.output;
  const readField = (pattern) => pattern.exec(text)?.[1];
  if (!readField(/(\d+) requests in/)) throw new Error(`wrk said: ${text}`);
  const socketErrors = /connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(text)?.slice(1).map(Number) ?? [];
  return {
    requests: Number(readField(/(\d+) requests in/)),
    requestsPerSecond: Number(readField(/Requests\/sec:\s+([\d.]+)/)),
    p50: parseDuration(readField(/^\s+50%\s+(\S+)/m)),
    p99: parseDuration(readField(/^\s+99%\s+(\S+)/m)),
    failed:
      Number(readField(/Non-2xx or 3xx responses: (\d+)/) ?? 0) + socketErrors.reduce((sum, count) => sum + count, 0),
    /** Reasons of failures in the words of wrk. */
    failures: [readField(/(Non-2xx or 3xx responses: .+)/), readField(/(Socket errors: .+)/)]
      .filter(Boolean)
      .join(', '),
  };
}

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** Formats rows with equal keys as an aligned text table. */
export function formatTable(rows) {
  const columns = Object.keys(rows[0]);
  const computeWidth = (column) => Math.max(column.length, ...rows.map((row) => String(row[column]).length));
  const formatLine = (cells) =>
    cells
      .map((cell, index) => String(cell).padEnd(computeWidth(columns[index])))
      .join('  ')
      .trimEnd();
  return [formatLine(columns), ...rows.map((row) => formatLine(columns.map((column) => row[column])))].join('\n');
}
