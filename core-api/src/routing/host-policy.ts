import { type AddressMatcher, compileAddressList } from '../platform/net/address';
import type { PolicyRow, RateLimit } from './config-snapshot';
import { compilePathRule, type PathRule } from './sites/path-rule';

/** Owner of a rule: the site itself, or the project of its tenant. */
type PolicyOrigin = 'own' | 'project';

/** The steps of a policy, in the order of contract §8. */
export const policySteps = ['maintenance', 'address', 'rate', 'password', 'redirect', 'body'] as const;
export type PolicyStep = (typeof policySteps)[number];

interface PasswordRule {
  /** Signs the access cookies; a new password has a new key. */
  readonly key: Buffer;
}

/** The compiled rules of a host; `evaluatePolicy` applies them to requests. */
export interface HostPolicy {
  /** Id of the site. */
  readonly id: string;
  readonly maintenance?: { text: string; until: number | undefined; mayPass: AddressMatcher };
  readonly access?: {
    isListed: AddressMatcher | undefined;
    password: PasswordRule | undefined;
    acceptsEither: boolean;
  };
  readonly redirects: readonly { path: PathRule; to: string; status: number }[];
  readonly rate?: RateLimit;
  readonly maxBodyBytes?: number;
  readonly timeoutMs?: number;
  /** Header lines that are added to every response, each with its CRLF. */
  readonly responseLines: string;
  /** Names of these headers, in lower case. */
  readonly responseNames: ReadonlySet<string>;
  readonly branding?: Branding;
  readonly origins: Partial<Record<PolicyStep, PolicyOrigin>>;
}

export type Branding = Exclude<PolicyRow['branding'], false | null>;

const MEGABYTE = 1024 * 1024;

/** The rule of the site, or else the rule of its project. The value `false` switches a rule off. */
function effectiveRule<Field extends keyof PolicyRow>(
  field: Field,
  siteRules: PolicyRow | null | undefined,
  projectRules: PolicyRow | null | undefined,
): { value: Exclude<PolicyRow[Field], null | undefined | false>; origin: PolicyOrigin } | undefined {
  for (const [row, origin] of [
    [siteRules, 'own'],
    [projectRules, 'project'],
  ] as const) {
    const value = row?.[field];
    if (value === null || value === undefined) continue;
    return value === false
      ? undefined
      : { value: value as Exclude<PolicyRow[Field], null | undefined | false>, origin };
  }
  return undefined;
}

/** Compiles the redirects of a host's rules. */
export const compileRedirects = (redirects: Exclude<PolicyRow['redirects'], false | null>): HostPolicy['redirects'] =>
  redirects.flatMap(({ from, to, status }) => {
    const path = compilePathRule(from);
    return path ? [{ path, to, status }] : [];
  });

/** Compiles the rules of a host. @returns undefined for a host without rules */
export function compilePolicy(
  id: string,
  siteRules: PolicyRow | null | undefined,
  projectRules?: PolicyRow | null,
): HostPolicy | undefined {
  if (!siteRules && !projectRules) return undefined;
  const rule = <Field extends keyof PolicyRow>(field: Field) => effectiveRule(field, siteRules, projectRules);
  const access = rule('access');
  const redirects = rule('redirects');
  const headers = rule('headers');
  const noindex = rule('noindex');
  const rate = rule('rate');
  const maxBody = rule('maxBodyMb');
  const timeout = rule('timeoutSeconds');
  const maintenance = rule('maintenance');
  const branding = rule('branding');
  const lines = [
    ...(headers?.value ?? []).map(({ name, value }) => [name, value] as const),
    ...(noindex ? [['X-Robots-Tag', 'noindex'] as const] : []),
  ];
  const until = maintenance?.value.until;
  return {
    id,
    ...(maintenance && {
      maintenance: {
        text: maintenance.value.text,
        until: until ? Date.parse(until) : undefined,
        mayPass: compileAddressList(maintenance.value.bypassIps),
      },
    }),
    ...(access && {
      access: {
        isListed: access.value.ips.length > 0 ? compileAddressList(access.value.ips) : undefined,
        password: access.value.passwordKey ? { key: Buffer.from(access.value.passwordKey, 'hex') } : undefined,
        acceptsEither: access.value.require === 'any',
      },
    }),
    redirects: compileRedirects(redirects?.value ?? []),
    ...(rate && { rate: rate.value }),
    ...(maxBody && { maxBodyBytes: maxBody.value * MEGABYTE }),
    ...(timeout && { timeoutMs: timeout.value * 1000 }),
    responseLines: lines.map(([name, value]) => `${name}: ${value}\r\n`).join(''),
    responseNames: new Set(lines.map(([name]) => name.toLowerCase())),
    ...(branding && { branding: branding.value }),
    origins: {
      ...(maintenance && { maintenance: maintenance.origin }),
      ...(access && { address: access.origin, password: access.origin }),
      ...(rate && { rate: rate.origin }),
      ...(redirects && { redirect: redirects.origin }),
      ...(maxBody && { body: maxBody.origin }),
    },
  };
}

export const previewPolicy = (id: string, passwordKey: string): HostPolicy => ({
  id,
  access: { isListed: undefined, password: { key: Buffer.from(passwordKey, 'hex') }, acceptsEither: false },
  redirects: [],
  responseLines: '',
  responseNames: new Set(),
  origins: { password: 'own' },
});
