import type { Config } from '../../../platform/config/config';
import type { ChangeContext } from '../../../platform/database/database';
import { decide } from '../../../routing/decide';
import { createGatewayError } from '../../../routing/gateway.messages';
import type { ForwardDecision } from '../../../routing/routing-decision';
import type { RoutingTable } from '../../../routing/routing-table';
import { callTarget } from './call-target';
import type { DryRun, DryRunBody, DryRunStep } from './dry-run.schema';
import { createSteps, type StepContext } from './steps';

type Client = Pick<ChangeContext, 'address' | 'requestId'>;

/** Predicts responses of the edge with the edge's own `decide`. Nothing is counted. */
export class DryRunService {
  private readonly gatewayHost: string;

  constructor(
    private readonly installation: Pick<Config, 'BASE_DOMAIN' | 'OWN_PORTS'>,
    private readonly loadRoutingTable: () => Promise<RoutingTable>,
    private readonly routes: { find(id: string): Promise<StepContext['route']> },
    private readonly keys: { find(id: string): Promise<StepContext['key']> },
  ) {
    this.gatewayHost = `api.${installation.BASE_DOMAIN}`;
  }

  /** Predicts the response. The address of `caller` is used if the body has no address. */
  async run({ method, path, key, address, call }: DryRunBody, caller: Client): Promise<DryRun> {
    const clientAddress = address ?? caller.address;
    const secrets = key ? [key] : [];
    const decision = decide(
      await this.loadRoutingTable(),
      { host: this.gatewayHost, method, target: path, bodyLength: 0 },
      { secrets, address: clientAddress, origin: undefined, preflightMethod: undefined, isLoop: false },
      Date.now(),
    );
    const { routeId, keyId } = decision;
    const target = decision.action === 'forward' ? formatTarget(decision) : null;
    const steps = createSteps(decision, {
      method,
      address: clientAddress,
      target,
      route: routeId === undefined ? null : await this.routes.find(routeId),
      key: keyId === undefined ? null : await this.keys.find(keyId),
    });
    if (decision.action === 'refuse') {
      const { error } = createGatewayError(decision.status, decision.reason);
      return { status: decision.status, allowed: false, error, steps, target };
    }
    if (call && decision.action === 'forward')
      steps.push(await this.call(decision, method, { ...caller, address: clientAddress }));
    return { status: 200, allowed: true, steps, target };
  }

  /** Calls the target with the headers that the edge would send for a request without headers. */
  private async call(decision: ForwardDecision, method: string, { address, requestId }: Client): Promise<DryRunStep> {
    const { isAnswered, detail } = await callTarget({
      upstreams: decision.upstreams,
      method,
      path: decision.path,
      headers: {
        Accept: '*/*',
        'X-Forwarded-For': address,
        'X-Forwarded-Proto': 'http',
        'X-Forwarded-Host': this.gatewayHost,
        'X-Request-Id': requestId,
        ...(decision.keyId !== undefined && { 'X-Gateway-Key-Id': decision.keyId }),
      },
      ownPorts: this.installation.OWN_PORTS,
    });
    return { step: 'call', ok: isAnswered, state: isAnswered ? 'passed' : 'failed', detail };
  }
}

/** Formats the URL of the request at the first instance. */
function formatTarget({ upstreams: [first], path }: ForwardDecision): string | null {
  return first ? `${first.tls ? 'https' : 'http'}://${first.authority}${path}` : null;
}
