import { type AddressMatcher, compileAddressList } from '../../platform/net/address';
import type { PolicyRow, RateLimit } from '../config-snapshot';
import { compilePathRule, type PathRule } from '../sites/path-rule';

/** The owner of a rule: the site itself, or a tenant's project. */
type RuleOwner = 'own' | 'project';

/** The steps of a policy, in the order of contract §9. */
export const policySteps = ['maintenance', 'address', 'rate', 'password', 'redirect', 'body'] as const;
export type PolicyStep = (typeof policySteps)[number];

interface PasswordRule {
  /** Signs the access cookies; a new password has a new key. */
  readonly key: Buffer;
}

/** The compiled rules of a host, which `evaluatePolicy` applies to requests. */
export interface HostPolicy {
  /** Id of the site. */
  readonly id: string;
  readonly maintenance?: { text: string; until: number | undefined; mayPass: AddressMatcher };
  readonly access?: {
    isListed: AddressMatcher | undefined;
    password: PasswordRule | undefined;
    /** True if a listed address or the password is sufficient; false if both are necessary. */
    acceptsEither: boolean;
  };
  readonly redirects: readonly { path: PathRule; to: string; status: number }[];
  readonly rate?: RateLimit;
  readonly maxBodyBytes?: number;
  readonly timeoutMs?: number;
  /** Header lines that are added to every response, each with its CRLF. */
  readonly responseLines: string;
  /** Names of the headers in `responseLines`, in lower case. */
  readonly replacedHeaderNames: ReadonlySet<string>;
  readonly branding?: Branding;
  readonly ruleOwners: Partial<Record<PolicyStep, RuleOwner>>;
}

export type Branding = Exclude<PolicyRow['branding'], false | null>;
const MEGABYTE = 1024 * 1024;

/** A rule in force, and its owner. */
interface EffectiveRule<Field extends keyof PolicyRow> {
  value: Exclude<PolicyRow[Field], null | undefined | false>;
  owner: RuleOwner;
}

/** Returns the rule of the site, or else the rule of its project. The value `false` disables a rule. */
function findEffectiveRule<Field extends keyof PolicyRow>(
  field: Field,
  siteRules: PolicyRow | null | undefined,
  projectRules: PolicyRow | null | undefined,
): EffectiveRule<Field> | undefined {
  for (const [row, owner] of [
    [siteRules, 'own'],
    [projectRules, 'project'],
  ] as const) {
    const value = row?.[field];
    if (value === null || value === undefined) continue;
    return value === false ? undefined : { value: value as EffectiveRule<Field>['value'], owner };
  }
  return undefined;
}

export const compileRedirects = (redirects: EffectiveRule<'redirects'>['value']): HostPolicy['redirects'] =>
  redirects.flatMap(({ from, to, status }) => {
    const path = compilePathRule(from);
    return path ? [{ path, to, status }] : [];
  });

const compileMaintenance = ({ text, until, bypassIps }: EffectiveRule<'maintenance'>['value']) => ({
  text,
  until: until ? Date.parse(until) : undefined,
  mayPass: compileAddressList(bypassIps),
});

const compileAccess = ({ ips, passwordKey, require }: EffectiveRule<'access'>['value']) => ({
  isListed: ips.length > 0 ? compileAddressList(ips) : undefined,
  password: passwordKey ? { key: Buffer.from(passwordKey, 'hex') } : undefined,
  acceptsEither: require === 'any',
});

function compileHeaders(headers: EffectiveRule<'headers'>['value'], isHiddenFromSearch: boolean) {
  const allHeaders = isHiddenFromSearch ? [...headers, { name: 'X-Robots-Tag', value: 'noindex' }] : headers;
  return {
    responseLines: allHeaders.map(({ name, value }) => `${name}: ${value}\r\n`).join(''),
    replacedHeaderNames: new Set(allHeaders.map(({ name }) => name.toLowerCase())),
  };
}

/** The rule that each step applies. */
const ruleByStep = {
  maintenance: 'maintenance',
  address: 'access',
  rate: 'rate',
  password: 'access',
  redirect: 'redirects',
  body: 'maxBodyMb',
} as const satisfies Record<PolicyStep, keyof PolicyRow>;

/** Compiles the rules of a host. @returns undefined for a host without rules */
export function compilePolicy(
  id: string,
  siteRules: PolicyRow | null | undefined,
  projectRules?: PolicyRow | null,
): HostPolicy | undefined {
  if (!siteRules && !projectRules) return undefined;
  const findRule = <Field extends keyof PolicyRow>(field: Field) => findEffectiveRule(field, siteRules, projectRules);
  const maintenance = findRule('maintenance');
  const access = findRule('access');
  const rate = findRule('rate');
  const maxBody = findRule('maxBodyMb');
  const timeout = findRule('timeoutSeconds');
  const branding = findRule('branding');
  const owners = policySteps.map((step) => [step, findRule(ruleByStep[step])?.owner] as const);
  return {
    id,
    ...(maintenance && { maintenance: compileMaintenance(maintenance.value) }),
    ...(access && { access: compileAccess(access.value) }),
    redirects: compileRedirects(findRule('redirects')?.value ?? []),
    ...(rate && { rate: rate.value }),
    ...(maxBody && { maxBodyBytes: maxBody.value * MEGABYTE }),
    ...(timeout && { timeoutMs: timeout.value * 1000 }),
    ...compileHeaders(findRule('headers')?.value ?? [], findRule('noindex') !== undefined),
    ...(branding && { branding: branding.value }),
    ruleOwners: Object.fromEntries(owners.filter(([, owner]) => owner)),
  };
}

export const createPreviewPolicy = (id: string, passwordKey: string): HostPolicy => ({
  id,
  access: { isListed: undefined, password: { key: Buffer.from(passwordKey, 'hex') }, acceptsEither: false },
  redirects: [],
  responseLines: '',
  replacedHeaderNames: new Set(),
  ruleOwners: { password: 'own' },
});
