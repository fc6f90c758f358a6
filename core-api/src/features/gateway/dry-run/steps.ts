import type { RefusalReason } from '../../../routing/refusal-reason';
import type { RefusalDecision, RoutingDecision } from '../../../routing/routing-decision';
import { dryRunMessages as messages } from './dry-run.messages';
import type { DryRunStep } from './dry-run.schema';

/** Values for the messages of the steps. */
export interface StepContext {
  method: string;
  address: string;
  /** URL to which the request would be forwarded. */
  target: string | null;
  route: { origin: string; permission: string; public: boolean; service: { name: string } } | null;
  key: { name: string; prefix: string | null; allowedIps: readonly string[] } | null;
}

type StepName = DryRunStep['step'];

/** The step at which each refusal happens. */
const stepByReason: Partial<Record<RefusalReason, StepName>> = {
  path: 'path',
  no_route: 'route',
  method: 'method',
  no_key: 'key',
  unknown_key: 'key',
  disabled: 'key',
  expired: 'key',
  rotated: 'key',
  address: 'address',
  permission: 'permission',
  loop: 'target',
};

function formatRefusal({ reason, allow = '' }: RefusalDecision, { address, route }: StepContext): string {
  const details: Partial<Record<RefusalReason, string>> = {
    ...messages.refused,
    method: messages.otherMethods(allow),
    address: messages.addressMissing(address),
    permission: messages.permitsNot(route?.permission ?? ''),
  };
  return details[reason] ?? '';
}

/** Lists the steps of a request that no step refuses. A public route checks neither address nor permission. */
function listPassedSteps(decision: RoutingDecision, context: StepContext): [StepName, string][] {
  const { method, address, target, route, key } = context;
  const instances = decision.action === 'forward' ? decision.upstreams.length : 0;
  const keySteps: [StepName, string][] = route?.public
    ? [['key', messages.isPublic]]
    : [
        ['key', messages.keyHolds(key?.name ?? '', key?.prefix ?? null)],
        ['address', key?.allowedIps.length === 0 ? messages.anyAddress : messages.addressListed(address)],
        ['permission', messages.permits(route?.permission ?? '')],
      ];
  return [
    ['path', messages.pathRead],
    ['route', messages.routeFound],
    ['method', messages.methodFits(method, route?.origin ?? '', route?.service.name ?? '')],
    ...keySteps,
    ['target', messages.leadsTo(target ?? '', instances)],
  ];
}

/** Returns the steps that led to a routing decision, with messages. */
export function createSteps(decision: RoutingDecision, context: StepContext): DryRunStep[] {
  const steps: DryRunStep[] = [];
  for (const [step, detail] of listPassedSteps(decision, context)) {
    if (decision.action === 'refuse' && step === stepByReason[decision.reason])
      return [...steps, { step, ok: false, state: 'failed', detail: formatRefusal(decision, context) }];
    steps.push({ step, ok: true, state: 'passed', detail });
  }
  const { limit } = decision;
  if (limit)
    steps.push({ step: 'limit', ok: true, state: 'unknown', detail: messages.limited(limit.requests, limit.seconds) });
  return steps;
}
