import type { Limits } from './types';

const MEGABYTE = 1024 * 1024;

export const defaultLimits: Limits = {
  headMs: 15_000,
  headBytes: 16 * 1024,
  headFields: 100,
  idleMs: 150_000,
  minBodyRate: 240,
  bodyGraceMs: 5_000,
  stalledMs: 60_000,
  lingerMs: 2_000,
  lingerBytes: MEGABYTE,
  connections: 20_000,
  connectionsPerAddress: 512,
  connectMs: 5_000,
  reuseDelayMs: 5,
  upstreamIdleMs: 5 * 60_000,
  upstreamHeadBytes: 32 * 1024,
  upstreamConnections: 512,
  upstreamIdleConnections: 256,
  queueLength: 1_024,
  queueMs: 5_000,
  longBodyMs: 2_000,
  longConnections: 10_000,
  reauthorizeAfterMs: 500,
  drainTunnelsMs: 8_000,
  drainMs: 9_000,
  tickMs: 250,
};
