import type { EntityManager } from 'typeorm';
import type { Database } from '../../../platform/database/database';
import type { ConfigUpdate, RowChange } from '../../../routing/config-snapshot';
import { decide } from '../../../routing/decide';
import { gatewayError } from '../../../routing/gateway.messages';
import type { ForwardDecision } from '../../../routing/routing-decision';
import { RoutingTable } from '../../../routing/routing-table';
import { callTarget } from './call-target';
import type { DryRun, DryRunBody, DryRunStep } from './dry-run.schema';
import { type StepContext, stepsOf } from './steps';

export interface DryRunOptions {
  database: Pick<Database, 'read'>;
  installation: Parameters<typeof RoutingTable.fromConfig>[0];
  /** Returns the rows that changed after a revision. */
  updateSince(
    read: EntityManager,
    known: number | undefined,
    entities: readonly RowChange['entity'][],
  ): Promise<ConfigUpdate | undefined>;
  findRoute(id: string): Promise<StepContext['route']>;
  findKey(id: string): Promise<StepContext['key']>;
}

/** Entities that decisions of the gateway depend on. */
const ENTITIES = ['service', 'route', 'key'] as const;

/** Returns the answer that the edge would give to a request, with the edge's own `decide`. Nothing is counted. */
export class DryRunService {
  /** The same routing table as at the edge, updated before each test. */
  private readonly table: RoutingTable;
  private updating: Promise<void> = Promise.resolve();
  private readonly gatewayHost: string;

  constructor(private readonly options: DryRunOptions) {
    // Unusable rows are reported by the edge.
    this.table = RoutingTable.fromConfig(options.installation, () => undefined);
    this.gatewayHost = `api.${options.installation.BASE_DOMAIN}`;
  }

  /** @param callerAddress for a test without an address */
  async run(
    { method, path, key, address, call }: DryRunBody,
    callerAddress: string,
    requestId: string,
  ): Promise<DryRun> {
    await this.update();
    const client = address ?? callerAddress;
    const verdict = decide(
      this.table,
      { host: this.gatewayHost, method, target: path, body: 0 },
      {
        keys: key === undefined ? [] : [key],
        address: client,
        origin: undefined,
        preflightMethod: undefined,
        isLoop: false,
      },
      Date.now(),
    );
    const { routeId, keyId } = verdict;
    const target = verdict.action === 'forward' ? addressOf(verdict) : null;
    const steps = stepsOf(verdict, {
      method,
      address: client,
      target,
      route: routeId === undefined ? null : await this.options.findRoute(routeId),
      key: keyId === undefined ? null : await this.options.findKey(keyId),
    });
    if (verdict.action === 'refuse') {
      const { error } = gatewayError(verdict.status, verdict.reason);
      return { status: verdict.status, allowed: false, error, steps, target };
    }
    if (call && verdict.action === 'forward') steps.push(await this.call(verdict, method, client, requestId));
    return { status: 200, allowed: true, steps, target };
  }

  /** Updates run one after the other, because each begins where the last one ended. */
  private update(): Promise<void> {
    this.updating = this.updating.catch(() => undefined).then(() => this.applyChanges());
    return this.updating;
  }

  private async applyChanges(): Promise<void> {
    const update = await this.options.updateSince(this.options.database.read, this.table.revision, ENTITIES);
    if (update) this.table.apply(update);
  }

  /** Sends the headers that the edge adds to a request without headers. */
  private async call(verdict: ForwardDecision, method: string, client: string, requestId: string): Promise<DryRunStep> {
    const { ok, detail } = await callTarget({
      upstreams: verdict.upstreams,
      method,
      path: verdict.path,
      headers: {
        Accept: '*/*',
        'X-Forwarded-For': client,
        'X-Forwarded-Proto': 'http',
        'X-Forwarded-Host': this.gatewayHost,
        'X-Request-Id': requestId,
        ...(verdict.keyId !== undefined && { 'X-Gateway-Key-Id': verdict.keyId }),
      },
      ownPorts: this.options.installation.OWN_PORTS,
    });
    return { step: 'call', ok, state: ok ? 'passed' : 'failed', detail };
  }
}

/** The address at the first instance. */
function addressOf({ upstreams: [first], path }: ForwardDecision): string | null {
  return first ? `${first.tls ? 'https' : 'http'}://${first.authority}${path}` : null;
}
