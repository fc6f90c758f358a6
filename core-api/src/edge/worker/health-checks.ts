import { request as ask, type RequestOptions } from 'node:http';
import { request as askWithTls } from 'node:https';
import { isIP } from 'node:net';
import type { CompiledService } from '../../decide/routes';
import type { Upstream } from '../../decide/upstream';
import { guardedLookup } from '../http1/upstream-socket';

const EVERY_MS = 5_000;
const ANSWER_MS = 2_000;

export interface HealthCheckOptions {
  /** Services with a `healthPath`, as of now. */
  services(): readonly Pick<CompiledService, 'upstreams' | 'healthPath'>[];
  setHealth(upstream: Upstream, healthy: boolean): void;
  mayConnect(address: string, port: number, upstream: Upstream): boolean;
}

const nameOf = ({ host, port, tls }: Upstream): string => `${tls} ${port} ${host}`;

/** Asks each instance of a service with a `healthPath`; an answer below 400 within 2 s is health. */
export class HealthChecks {
  private timer: NodeJS.Timeout | undefined;
  /** Checked in the last round. An instance that is no longer checked has passive health alone. */
  private asked = new Map<string, Upstream>();

  constructor(private readonly options: HealthCheckOptions) {}

  start(): void {
    this.round();
    this.timer = setInterval(() => this.round(), EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private round(): void {
    const before = this.asked;
    this.asked = new Map();
    for (const { upstreams, healthPath = '/' } of this.options.services()) {
      for (const upstream of upstreams) {
        const name = nameOf(upstream);
        before.delete(name);
        if (this.asked.has(name)) continue;
        this.asked.set(name, upstream);
        void this.isHealthy(upstream, healthPath).then((healthy) => {
          if (this.asked.has(name)) this.options.setHealth(upstream, healthy);
        });
      }
    }
    for (const upstream of before.values()) this.options.setHealth(upstream, true);
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
        lookup: guardedLookup((address) => mayConnect(address, port, upstream)),
        signal: AbortSignal.timeout(ANSWER_MS),
      };
      const question = (tls ? askWithTls : ask)(options, (answer) => {
        resolve((answer.statusCode ?? 500) < 400);
        answer.destroy();
      });
      question.on('error', () => resolve(false));
      // A 101 ends the connection and tells nothing else.
      question.on('close', () => resolve(false));
      question.end();
    });
  }
}
