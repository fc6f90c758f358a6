import { In } from 'typeorm';
import { z } from 'zod';
import type { Database } from '../database/source';
import { keyOf, type ProbeTarget } from '../rules/probe-target';
import type { TargetRules } from '../rules/target';
import { healthMessages as messages } from './health.messages';
import { probe } from './probe';
import { TargetHealth } from './target-health.entity';

export const healthResponse = z
  .object({
    state: z.enum(['up', 'down', 'unknown']),
    status: z.int().nullable(),
    ms: z.int().nullable(),
    checkedAt: z.iso.datetime().nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'Health' });
export type Health = z.output<typeof healthResponse>;

/** One step of a connection test. */
export const probeStepResponse = z
  .object({
    step: z.enum(['dns', 'tcp', 'tls', 'http', 'folder']),
    ok: z.boolean(),
    ms: z.int(),
    detail: z.string(),
  })
  .meta({ id: 'ProbeStep' });

/** What a host's health depends on. */
export interface CheckedHost {
  healthCheck: boolean;
  target: ProbeTarget | undefined;
}

const unknown = (reason: string): Health => ({ state: 'unknown', status: null, ms: null, checkedAt: null, reason });

export class HealthService {
  constructor(
    private readonly database: Database,
    private readonly rules: TargetRules,
  ) {}

  /** The last check's result for each of these hosts, as a function of the host. */
  async byHost(hosts: readonly CheckedHost[]): Promise<(host: CheckedHost) => Health> {
    const keyOfHost = ({ healthCheck, target }: CheckedHost) => (healthCheck && target ? keyOf(target) : undefined);
    const keys = [...new Set(hosts.map(keyOfHost))].filter((key) => key !== undefined);
    const found = keys.length > 0 ? await this.database.read.findBy(TargetHealth, { target: In(keys) }) : [];
    const byKey = new Map(found.map(({ target, ...health }) => [target, health]));
    return (host) => {
      const key = keyOfHost(host);
      return key === undefined ? unknown(messages.off) : (byKey.get(key) ?? unknown(messages.notYet));
    };
  }

  /** Whether the last check found a host's target down, as a function of the host. */
  async downHosts(): Promise<(host: CheckedHost) => boolean> {
    const found = await this.database.read.find(TargetHealth, { select: { target: true }, where: { state: 'down' } });
    const keys = new Set(found.map(({ target }) => target));
    return ({ healthCheck, target }) => healthCheck && target !== undefined && keys.has(keyOf(target));
  }

  async of(host: CheckedHost): Promise<Health> {
    return (await this.byHost([host]))(host);
  }

  /** Checks one target without storing the result. */
  probe(target: ProbeTarget) {
    return probe(target, this.rules);
  }

  /** Checks targets now and stores the results. */
  async check(targets: readonly ProbeTarget[]): Promise<void> {
    const rows = await Promise.all(targets.map((target) => this.checkOne(target)));
    await this.database.append((manager) => manager.upsert(TargetHealth, rows, ['target']));
  }

  private async checkOne(target: ProbeTarget): Promise<TargetHealth> {
    const startedAt = performance.now();
    const { steps, status } = await this.probe(target);
    const fault = steps.find(({ ok }) => !ok);
    return {
      target: keyOf(target),
      state: fault ? 'down' : 'up',
      status,
      ms: Math.round(performance.now() - startedAt),
      checkedAt: new Date().toISOString(),
      reason: fault?.detail ?? null,
    };
  }
}
