import type { VersionRef } from '../../routing/config-snapshot';
import { decide, type RequestAttributes } from '../../routing/decide';
import { type HostPolicy, type PolicyStep, policySteps } from '../../routing/hosts/host-policy';
import type { HostMatch } from '../../routing/hosts/host-router';
import { addPolicyHeaders } from '../../routing/hosts/policy-headers';
import type { Site } from '../../routing/hosts/site';
import type { RoutingDecision, VersionDecision } from '../../routing/routing-decision';
import type { RoutingTable } from '../../routing/routing-table';
import { CompiledManifest } from '../../routing/sites/compiled-manifest';
import { parseManifest } from '../../routing/sites/manifest';
import { parseSitePath } from '../../routing/sites/site-path';
import { chooseSiteReply, type VersionRequest } from '../../routing/sites/version-reply';
import { chooseFolderReply } from './folder-reply';
import type { HostTest, HostTestBody, PolicyBody } from './host-policies.schema';
import { stepMessages } from './host-test.messages';
import type { PasswordAttempt } from './site-access.service';

export interface HostTestOptions {
  loadRoutingTable(): Promise<RoutingTable>;
  /** Returns the manifest of a version as JSON; undefined if the version was removed. */
  findManifest(id: string): Promise<string | undefined>;
  isCorrectPassword(attempt: PasswordAttempt): Promise<boolean>;
  /** Creates the policy that a site would have with these rules. */
  createTrialPolicy(site: Site, rules: PolicyBody): Promise<HostPolicy | undefined>;
  findTenantIds(projects: readonly string[]): Promise<string[]>;
}

/** RFC 6761 reserves `.invalid`, so no installation serves this host. */
const UNCLAIMED_HOST = 'unknown.invalid';

const STEPS = ['host', 'paused', 'preview', 'domain', ...policySteps, 'target'] as const;
type Step = (typeof STEPS)[number];
type StepResult = Pick<HostTest['steps'][number], 'state' | 'from'>;

const stepByReason: Record<string, Step> = {
  unknown_host: 'host',
  loop: 'target',
  site_unusable: 'target',
  unpublished: 'target',
  paused: 'paused',
  preview_expired: 'preview',
  maintenance: 'maintenance',
  address: 'address',
  rate_limited: 'rate',
  password: 'password',
  body_too_large: 'body',
};

function findLastStep(decision: RoutingDecision): Step {
  if (decision.action === 'refuse') return stepByReason[decision.reason] ?? 'target';
  if (decision.action !== 'redirect') return 'target';
  return decision.by === 'domain' ? 'domain' : 'redirect';
}

const hasRule: Record<PolicyStep, (policy: HostPolicy) => boolean> = {
  maintenance: ({ maintenance }) => maintenance !== undefined,
  address: ({ access }) => access?.isListed !== undefined,
  rate: ({ rate }) => rate !== undefined,
  password: ({ access }) => access?.password !== undefined,
  redirect: ({ redirects }) => redirects.length > 0,
  body: ({ maxBodyBytes }) => maxBodyBytes !== undefined,
};

const isPolicyStep = (step: Step): step is PolicyStep => policySteps.some((policyStep) => policyStep === step);

function describeStep(step: Step, { action, policy }: RoutingDecision, isLast: boolean): StepResult {
  const state = isLast && action === 'refuse' ? 'refused' : 'passed';
  if (!isPolicyStep(step)) return { state, from: null };
  if (!isLast && !(policy && hasRule[step](policy))) return { state: 'off', from: null };
  return { state, from: policy?.ruleOwners[step] ?? null };
}

function createSteps(decision: RoutingDecision): HostTest['steps'] {
  const lastIndex = STEPS.indexOf(findLastStep(decision));
  return STEPS.slice(0, lastIndex + 1).map((step, index) => {
    const { state, from } = describeStep(step, decision, index === lastIndex);
    return { step, state, detail: stepMessages[step][state], from };
  });
}

/** Encodes characters that a request line cannot have, as browsers do: `ç` becomes `%C3%A7`. */
const percentEncode = (text: string): string =>
  text.replace(/[^\x21-\x7e]+/g, (characters) =>
    Buffer.from(characters).toString('hex').toUpperCase().replace(/../g, '%$&'),
  );

/** Returns the request target as the URL states it, because `URL` resolves dot segments and the edge does not. */
function toRequestTarget(url: string, { pathname, search }: URL): string {
  const target = percentEncode(/^https?:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1] || pathname + search);
  return target.startsWith('/') ? target : `/${target}`;
}

const parseHeaderLines = (lines: string): HostTest['headers'] =>
  lines
    .split('\r\n')
    .filter(Boolean)
    .map((line) => ({ name: line.slice(0, line.indexOf(':')), value: line.slice(line.indexOf(':') + 1).trim() }));

const emptyResponse = { location: null, file: null, lines: '', version: null as string | null };

/** Predicts the edge's response with the edge's functions. It calls no target and stores only wrong-password counts. */
export class HostTestService {
  constructor(private readonly options: HostTestOptions) {}

  /** Hosts outside of the caller's projects count as unknown. @param projects the caller's projects; null for all */
  async run(
    { url, method, address, password, accept = '*/*', policy }: HostTestBody,
    callerAddress: string,
    projects: readonly string[] | null,
  ): Promise<HostTest> {
    const table = await this.options.loadRoutingTable();
    const requested = new URL(url);
    const isVisible = !projects || (await this.belongsToProjects(table.resolveHost(requested.host), projects));
    const host = isVisible ? requested.host : UNCLAIMED_HOST;
    const target = toRequestTarget(url, requested);
    const decision = await this.decideWithPassword(
      table,
      { host, method, target, bodyLength: 0 },
      { address: address ?? callerAddress, password },
      { callerAddress, rules: policy },
    );
    const response = await this.createResponse(decision, { method, target, accept });
    const isAllowed = decision.action !== 'refuse';
    const currentVersion = decision.action === 'version' ? decision.current.id : null;
    return {
      status: response.status,
      allowed: isAllowed,
      version: response.version ?? currentVersion,
      steps: createSteps(decision),
      location: response.location,
      headers: parseHeaderLines(decision.policy ? addPolicyHeaders(response.lines, decision.policy) : response.lines),
      file: response.file,
    };
  }

  private async belongsToProjects(route: HostMatch, projects: readonly string[]): Promise<boolean> {
    if (route.kind !== 'site') return false;
    const ownerId = route.site.kind === 'preview' ? route.site.ownerId : route.site.id;
    return projects.includes(ownerId) || (await this.options.findTenantIds(projects)).includes(ownerId);
  }

  private async decideWithPassword(
    table: RoutingTable,
    request: Parameters<typeof decide>[1],
    { address, password }: Pick<HostTestBody, 'password'> & { address: string },
    { callerAddress, rules }: { callerAddress: string; rules: PolicyBody | undefined },
  ): Promise<RoutingDecision> {
    const attributes: RequestAttributes = {
      secrets: [],
      address,
      origin: undefined,
      preflightMethod: undefined,
      isLoop: false,
      authorization: password === undefined ? undefined : `Basic ${Buffer.from(`:${password}`).toString('base64')}`,
    };
    const route = await this.withTrialPolicy(table.resolveHost(request.host), rules);
    const decision = decide(table, request, attributes, Date.now(), route);
    if (decision.action !== 'verify') return decision;
    const trialPassword = rules?.access ? rules.access.password : undefined;
    // A wrong password counts against the caller, because the tested address belongs to somebody else.
    const attempt = { host: request.host, password: decision.password, address: callerAddress };
    const isCorrect =
      typeof trialPassword === 'string'
        ? trialPassword === decision.password
        : await this.options.isCorrectPassword(attempt);
    return decide(table, request, { ...attributes, checkPassword: () => isCorrect }, Date.now(), route);
  }

  private async withTrialPolicy(route: HostMatch, rules: PolicyBody | undefined): Promise<HostMatch> {
    if (!rules || route.kind !== 'site') return route;
    const policy = await this.options.createTrialPolicy(route.site, rules);
    return { kind: 'site', site: { ...route.site, policy } };
  }

  private async createResponse(
    decision: RoutingDecision,
    { method, target, accept }: { method: string; target: string; accept: string },
  ) {
    if (decision.action === 'refuse') return { ...emptyResponse, status: decision.status };
    if (decision.action === 'redirect')
      return { ...emptyResponse, status: decision.status, location: decision.location };
    if (decision.action !== 'file' && decision.action !== 'version') return { ...emptyResponse, status: null };
    if (method !== 'GET' && method !== 'HEAD') return { ...emptyResponse, status: 405 };
    const path = parseSitePath(target);
    if (decision.action === 'version') return this.createVersionResponse(decision, { path, accept });
    return { ...emptyResponse, ...(await chooseFolderReply(decision.folder, { path, accept }, decision.spaFallback)) };
  }

  private async createVersionResponse(decision: VersionDecision, request: VersionRequest) {
    const choice = chooseSiteReply(decision, request);
    let step = choice.next();
    while (!step.done) step = choice.next(await this.loadManifest(step.value));
    if (!step.value) return { ...emptyResponse, status: 503 };
    const { reply, version: chosenVersion } = step.value;
    const version = chosenVersion.id;
    if (reply.kind === 'missing') return { ...emptyResponse, status: 404, version };
    if (reply.kind === 'redirect') return { ...emptyResponse, status: reply.status, location: reply.location, version };
    return { ...emptyResponse, status: reply.status, file: reply.name, lines: reply.lines, version };
  }

  private async loadManifest({ id }: VersionRef): Promise<CompiledManifest | undefined> {
    const manifest = await this.options.findManifest(id);
    return manifest === undefined ? undefined : new CompiledManifest(parseManifest(manifest));
  }
}
