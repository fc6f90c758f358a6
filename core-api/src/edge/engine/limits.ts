/** Times in ms, sizes in bytes. Numbers of connections apply to one engine (one worker). */
export const defaultLimits = {
  headMs: 15_000,
  headBytes: 16 * 1024,
  headFields: 100,
  idleMs: 150_000,
  /** Minimum rate of a request body after `bodyGraceMs`, bytes per second. */
  minBodyRate: 240,
  bodyGraceMs: 5_000,
  /** A client, or the upstream of a tunnel, is disconnected if it reads none of the waiting bytes for this long. */
  stalledMs: 60_000,
  /** Limits of a lingering close: its duration, and the bytes that it drops. */
  lingerMs: 2_000,
  lingerBytes: 1024 * 1024,
  connections: 20_000,
  connectionsPerClient: 512,
  connectMs: 5_000,
  /** Pause of an upstream connection after its first response (`ReuseDelay`); 0 disables it. */
  reuseDelayMs: 5,
  /** Time-out between two reads of a response. */
  upstreamIdleMs: 5 * 60_000,
  upstreamHeadBytes: 32 * 1024,
  /**
   * Limits of each upstream: simultaneous ordinary requests, queued requests, and simultaneous long-lived exchanges. A
   * tunnel is long-lived, and so is a body that takes longer than `longBodyMs`. `longBodyMs` is below `queueMs`, so
   * slow clients free their places before queued requests time out.
   */
  upstreamConnections: 512,
  queueLength: 1_024,
  queueMs: 5_000,
  longBodyMs: 2_000,
  longConnections: 10_000,
  /** Idle keep-alive connections of each upstream. */
  upstreamIdleConnections: 256,
  /** Minimum age of a request whose response is authorized again at each tick. */
  reauthorizeAfterMs: 500,
  /** Times from the start of a drain until tunnels are closed, and until all connections are destroyed. */
  drainTunnelsMs: 8_000,
  drainMs: 9_000,
  /** Interval of the time-out checks, and so their precision. */
  tickMs: 250,
};

export type Limits = typeof defaultLimits;
