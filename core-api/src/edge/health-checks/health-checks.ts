import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { createGuardedLookup } from '../../platform/net/guarded-lookup';
import type { CompiledService } from '../../routing/routes/route-table';
import type { Upstream } from '../../routing/upstream';

const INTERVAL_MS = 5_000;
const TIMEOUT_MS = 2_000;

export interface HealthCheckOptions {
  /** Returns the current services with a `healthPath`. */
  listServices(): readonly Pick<CompiledService, 'upstreams' | 'healthPath'>[];
  setHealth(upstream: Upstream, isHealthy: boolean): void;
  mayConnect(address: string, port: number, upstream: Upstream): boolean;
}

const toKey = ({ host, port, tls }: Upstream): string => `${tls} ${port} ${host}`;

/** Runs one worker's health checks. A healthy instance responds with a status below 400 to all its paths within 2 s. */
export class HealthChecks {
  private timer: NodeJS.Timeout | undefined;
  /** Instances of the last round. An instance that leaves this map counts as healthy again. */
  private instances = new Map<string, { upstream: Upstream; paths: Set<string> }>();

  constructor(private readonly options: HealthCheckOptions) {}

  start(): void {
    this.checkAll();
    this.timer = setInterval(() => this.checkAll(), INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private checkAll(): void {
    const earlierInstances = this.instances;
    this.instances = new Map();
    for (const { upstreams, healthPath = '/' } of this.options.listServices()) {
      for (const upstream of upstreams) {
        const key = toKey(upstream);
        const { paths } = this.instances.get(key) ?? { paths: new Set() };
        this.instances.set(key, { upstream, paths: paths.add(healthPath) });
      }
    }
    for (const [key, { upstream, paths }] of this.instances) {
      earlierInstances.delete(key);
      void Promise.all([...paths].map((path) => this.isHealthy(upstream, path))).then((results) => {
        if (this.instances.has(key)) this.options.setHealth(upstream, !results.includes(false));
      });
    }
    for (const { upstream } of earlierInstances.values()) this.options.setHealth(upstream, true);
  }

  private isHealthy(upstream: Upstream, path: string): Promise<boolean> {
    const { host, port, tls, authority } = upstream;
    const { mayConnect } = this.options;
    if (isIP(host) !== 0 && !mayConnect(host, port, upstream)) return Promise.resolve(false);
    return new Promise((resolve) => {
      const options: RequestOptions = {
        host,
        port,
        path,
        agent: false,
        headers: { Host: authority, 'User-Agent': 'health-check' },
        lookup: createGuardedLookup((address) => mayConnect(address, port, upstream)),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      };
      const request = (tls ? requestHttps : requestHttp)(options, (response) => {
        resolve((response.statusCode ?? 500) < 400);
        response.destroy();
      });
      request.on('error', () => resolve(false));
      // The check fails if there is no `response` event, as after a 101.
      request.on('close', () => resolve(false));
      request.end();
    });
  }
}
