import { type Core, ifMatch, type RestPaths, type RestSchemas, unwrap } from '../core/client';
import type { HostPolicyInput, HostRule, Resolvers, SiteInput } from './generated/resolvers';

type RestPolicy = RestSchemas['HostPolicy'];
type PolicyBody = RestPaths['/subdomains/{subdomain}/policy']['put']['requestBody']['content']['application/json'];

const RULES: readonly HostRule[] = [
  'access',
  'redirects',
  'headers',
  'rate',
  'maxBodyMb',
  'timeoutSeconds',
  'maintenance',
  'branding',
];

const ruleValue = <Value>(value: Value | false): Value | null => (value === false ? null : value);

/** REST has `false` for a rule that is switched off. The graph has null, and a list of these rules. */
const toGraphPolicy = (policy: RestPolicy) => ({
  access: ruleValue(policy.access),
  redirects: ruleValue(policy.redirects),
  headers: ruleValue(policy.headers),
  noindex: policy.noindex,
  rate: ruleValue(policy.rate),
  maxBodyMb: ruleValue(policy.maxBodyMb),
  timeoutSeconds: ruleValue(policy.timeoutSeconds),
  maintenance: ruleValue(policy.maintenance),
  branding: ruleValue(policy.branding),
  switchedOff: RULES.filter((rule) => policy[rule] === false),
  version: policy.version,
});

function toRestPolicy({
  switchedOff = [],
  access,
  branding,
  maintenance,
  noindex,
  ...rest
}: HostPolicyInput): PolicyBody {
  const ruleOf = <Value>(rule: HostRule, value: Value | null | undefined): Value | false | null =>
    switchedOff.includes(rule) ? false : (value ?? null);
  const { redirects, headers, rate, maxBodyMb, timeoutSeconds } = rest;
  return {
    access: ruleOf('access', access && toRestAccess(access)),
    redirects: ruleOf('redirects', redirects) as PolicyBody['redirects'],
    headers: ruleOf('headers', headers),
    noindex: noindex ?? null,
    rate: ruleOf('rate', rate),
    maxBodyMb: ruleOf('maxBodyMb', maxBodyMb),
    timeoutSeconds: ruleOf('timeoutSeconds', timeoutSeconds),
    maintenance: ruleOf('maintenance', maintenance),
    branding: ruleOf('branding', branding),
  };
}

const toRestAccess = ({ ips, require, password, keepsPassword }: NonNullable<HostPolicyInput['access']>) => ({
  ips,
  require,
  password: password || (keepsPassword ? (true as const) : null),
});

/** REST has one path for each type of site. */
const getPolicy = (core: Core, { type, key }: SiteInput) => {
  switch (type) {
    case 'subdomain':
      return core.GET('/subdomains/{subdomain}/policy', { params: { path: { subdomain: key } } });
    case 'project':
      return core.GET('/projects/{id}/policy', { params: { path: { id: key } } });
    case 'tenant':
      return core.GET('/tenants/{id}/policy', { params: { path: { id: key } } });
  }
};

const putPolicy = (core: Core, { type, key }: SiteInput, body: PolicyBody, version: number | null | undefined) => {
  const header = ifMatch(version);
  switch (type) {
    case 'subdomain':
      return core.PUT('/subdomains/{subdomain}/policy', { params: { path: { subdomain: key }, header }, body });
    case 'project':
      return core.PUT('/projects/{id}/policy', { params: { path: { id: key }, header }, body });
    case 'tenant':
      return core.PUT('/tenants/{id}/policy', { params: { path: { id: key }, header }, body });
  }
};

export const hostPolicies: Resolvers = {
  Query: {
    hostPolicy: async (_, { site }, { core }) => toGraphPolicy(await unwrap(getPolicy(core, site))),
  },
  Mutation: {
    updateHostPolicy: async (_, { site, input, version }, { core }) =>
      toGraphPolicy(await unwrap(putPolicy(core, site, toRestPolicy(input), version))),
    testHost: (_, { input: { policy, ...request } }, { core }) =>
      unwrap(core.POST('/hosts/test', { body: { ...request, ...(policy && { policy: toRestPolicy(policy) }) } })),
  },
};
