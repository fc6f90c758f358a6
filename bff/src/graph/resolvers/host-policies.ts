import { ifMatch, type RestPaths, type RestSchemas, unwrap } from '../../core/client';
import type { HostPolicyInput, HostRule, Resolvers } from '../generated/resolvers';
import { toSiteParams } from './site-paths';

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

const toGraphRule = <Value>(value: Value | false): Value | null => (value === false ? null : value);

/** REST has `false` for a rule that is switched off. The graph has null, and lists these rules in `switchedOff`. */
const toGraphPolicy = (policy: RestPolicy) => ({
  access: toGraphRule(policy.access),
  redirects: toGraphRule(policy.redirects),
  headers: toGraphRule(policy.headers),
  noindex: policy.noindex,
  rate: toGraphRule(policy.rate),
  maxBodyMb: toGraphRule(policy.maxBodyMb),
  timeoutSeconds: toGraphRule(policy.timeoutSeconds),
  maintenance: toGraphRule(policy.maintenance),
  branding: toGraphRule(policy.branding),
  switchedOff: RULES.filter((rule) => policy[rule] === false),
  version: policy.version,
});

function toRestPolicy(input: HostPolicyInput): PolicyBody {
  const { switchedOff = [] } = input;
  const toRestRule = <Value>(rule: HostRule, value: Value | null | undefined): Value | false | null =>
    switchedOff.includes(rule) ? false : (value ?? null);
  return {
    access: toRestRule('access', input.access && toRestAccess(input.access)),
    redirects: toRestRule('redirects', input.redirects) as PolicyBody['redirects'], // GraphQL has no enum of numbers.
    headers: toRestRule('headers', input.headers),
    noindex: input.noindex ?? null,
    rate: toRestRule('rate', input.rate),
    maxBodyMb: toRestRule('maxBodyMb', input.maxBodyMb),
    timeoutSeconds: toRestRule('timeoutSeconds', input.timeoutSeconds),
    maintenance: toRestRule('maintenance', input.maintenance),
    branding: toRestRule('branding', input.branding),
  };
}

const toRestAccess = ({ ips, require, password, keepsPassword }: NonNullable<HostPolicyInput['access']>) => ({
  ips,
  require,
  password: password || (keepsPassword ? (true as const) : null), // In REST, `true` keeps the saved password.
});

const POLICY_PATHS = {
  subdomain: '/subdomains/{subdomain}/policy',
  project: '/projects/{id}/policy',
  tenant: '/tenants/{id}/policy',
} as const;

export const hostPolicies: Resolvers = {
  Query: {
    hostPolicy: async (_, { site }, { core }) =>
      toGraphPolicy(await unwrap(core.GET(POLICY_PATHS[site.type], { params: { path: toSiteParams(site) } }))),
  },
  Mutation: {
    updateHostPolicy: async (_, { site, input, version }, { core }) =>
      toGraphPolicy(
        await unwrap(
          core.PUT(POLICY_PATHS[site.type], {
            params: { path: toSiteParams(site), header: ifMatch(version) },
            body: toRestPolicy(input),
          }),
        ),
      ),
    testHost: (_, { input: { policy, ...request } }, { core }) =>
      unwrap(core.POST('/hosts/test', { body: { ...request, ...(policy && { policy: toRestPolicy(policy) }) } })),
  },
};
