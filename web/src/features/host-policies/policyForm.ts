import { boolean, check, forward, type InferOutput, object, picklist, pipe, string } from 'valibot';
import type { HostPolicyInput, HostRule } from '../../generated/graph';
import { toDateTimeLocal } from '../../lib/format/localTime';
import { splitEntries } from '../../lib/format/splitEntries';
import { toInteger } from '../../ui/form/schema/schemas';
import { uiMessages } from '../../ui/ui.messages';
import type { HostPolicyFragment } from './generated/host-policies';
import { hostPoliciesMessages as messages } from './host-policies.messages';

/** `own`: the site has this rule. `inherit`: the rule of the project applies, if any. `off`: no rule applies. */
export const ruleStates = ['inherit', 'off', 'own'] as const;
export type RuleState = (typeof ruleStates)[number];
const stateSchema = picklist(ruleStates);

const DEFAULT_REDIRECT_STATUS = 301;

const splitLines = (text: string): string[] => splitEntries(text, '\n');

const splitAddresses = (text: string): string[] => splitEntries(text, /[\n,]/);

const REDIRECT = /^(\S+)\s+(\S+)(?:\s+(\d{3}))?$/;
const HEX_COLOR = /^#[\da-f]{6}$/i;
const MIN_PASSWORD_LENGTH = 4;
const MAX_PASSWORD_LENGTH = 200;
const HEADER = /^([^:\s]+)\s*:\s*(.+)$/;

/** The number (from 1) of the first line that does not match; 0 if there is none. Empty lines count, and match. */
const findInvalidLine = (text: string, pattern: RegExp): number =>
  text.split('\n').findIndex((line) => line.trim() !== '' && !pattern.test(line.trim())) + 1;

/** The rules as typed. The path of a field in the server's input gives its name: `rate.requests` is `rateRequests`. */
const fields = object({
  accessState: stateSchema,
  accessIps: string(),
  /** Whether a password is saved. */
  hasPassword: boolean(),
  password: string(),
  removesPassword: boolean(),
  accessRequire: picklist(['all', 'any']),
  maintenanceState: stateSchema,
  maintenanceText: string(),
  maintenanceUntil: string(),
  maintenanceBypassIps: string(),
  redirectsState: stateSchema,
  redirects: string(),
  headersState: stateSchema,
  headers: string(),
  noindex: picklist(['unset', 'true', 'false']),
  rateState: stateSchema,
  rateRequests: string(),
  rateSeconds: string(),
  maxBodyState: stateSchema,
  maxBodyMb: string(),
  timeoutState: stateSchema,
  timeoutSeconds: string(),
  brandingState: stateSchema,
  brandingName: string(),
  brandingAccent: string(),
  brandingLogoPng: string(),
});
export type PolicyValues = InferOutput<typeof fields>;

/** Checks only the fields of rules that are `own`, because other fields are neither shown nor sent. */
export const policySchema = pipe(
  fields,
  forward(
    check(({ accessState, removesPassword, password }) => {
      const hasValidLength = password.length >= MIN_PASSWORD_LENGTH && password.length <= MAX_PASSWORD_LENGTH;
      return accessState !== 'own' || removesPassword || password === '' || hasValidLength;
    }, messages.access.passwordLength),
    ['password'],
  ),
  forward(
    check(
      ({ maintenanceState, maintenanceText }) => maintenanceState !== 'own' || maintenanceText.trim() !== '',
      uiMessages.required,
    ),
    ['maintenanceText'],
  ),
  forward(
    check(
      ({ redirectsState, redirects }) => redirectsState !== 'own' || findInvalidLine(redirects, REDIRECT) === 0,
      ({ input: { redirects } }) => messages.redirects.line(findInvalidLine(redirects, REDIRECT)),
    ),
    ['redirects'],
  ),
  forward(
    check(
      ({ headersState, headers }) => headersState !== 'own' || findInvalidLine(headers, HEADER) === 0,
      ({ input: { headers } }) => messages.headers.line(findInvalidLine(headers, HEADER)),
    ),
    ['headers'],
  ),
  forward(
    check(
      ({ brandingState, brandingAccent: color }) =>
        brandingState !== 'own' || color.trim() === '' || HEX_COLOR.test(color.trim()),
      messages.branding.accentWrong,
    ),
    ['brandingAccent'],
  ),
);

const joinLines = (items: readonly string[] = []): string => items.join('\n');
const toText = (value: number | null | undefined): string => (value == null ? '' : String(value));

export function toPolicyValues(policy: HostPolicyFragment): PolicyValues {
  const { access, maintenance, redirects, headers, rate, branding, noindex, maxBodyMb, timeoutSeconds } = policy;
  const toState = (rule: HostRule): RuleState => {
    if (policy.switchedOff.includes(rule)) return 'off';
    return policy[rule] === null ? 'inherit' : 'own';
  };
  return {
    accessState: toState('access'),
    accessIps: joinLines(access?.ips),
    hasPassword: access?.password ?? false,
    password: '',
    removesPassword: false,
    accessRequire: access?.require ?? 'all',
    maintenanceState: toState('maintenance'),
    maintenanceText: maintenance?.text ?? '',
    maintenanceUntil: maintenance?.until ? toDateTimeLocal(maintenance.until) : '',
    maintenanceBypassIps: joinLines(maintenance?.bypassIps),
    redirectsState: toState('redirects'),
    redirects: joinLines(redirects?.map(({ from, to, status }) => `${from} ${to} ${status}`)),
    headersState: toState('headers'),
    headers: joinLines(headers?.map(({ name, value }) => `${name}: ${value}`)),
    noindex: noindex === null ? 'unset' : (`${noindex}` as const),
    rateState: toState('rate'),
    rateRequests: toText(rate?.requests),
    rateSeconds: toText(rate?.seconds ?? 60),
    maxBodyState: toState('maxBodyMb'),
    maxBodyMb: toText(maxBodyMb),
    timeoutState: toState('timeoutSeconds'),
    timeoutSeconds: toText(timeoutSeconds),
    brandingState: toState('branding'),
    brandingName: branding?.name ?? '',
    brandingAccent: branding?.accent ?? '',
    brandingLogoPng: branding?.logoPng ?? '',
  };
}

const parseRedirects = (text: string) =>
  splitLines(text).flatMap((line) => {
    const [, from, to, status] = REDIRECT.exec(line) ?? [];
    return from && to ? [{ from, to, status: status ? Number(status) : DEFAULT_REDIRECT_STATUS }] : [];
  });

const parseHeaders = (text: string) =>
  splitLines(text).flatMap((line) => {
    const [, name, value] = HEADER.exec(line) ?? [];
    return name && value ? [{ name, value }] : [];
  });

/** Returns the input of a save, which replaces all rules. A saved password is kept unless it is removed or replaced. */
export function toPolicyInput(values: PolicyValues): HostPolicyInput {
  const states: Record<HostRule, RuleState> = {
    access: values.accessState,
    maintenance: values.maintenanceState,
    redirects: values.redirectsState,
    headers: values.headersState,
    rate: values.rateState,
    maxBodyMb: values.maxBodyState,
    timeoutSeconds: values.timeoutState,
    branding: values.brandingState,
  };
  const getValueIfOwn = <Value>(rule: HostRule, value: Value): Value | null => (states[rule] === 'own' ? value : null);
  return {
    switchedOff: (Object.keys(states) as HostRule[]).filter((rule) => states[rule] === 'off'),
    access: getValueIfOwn('access', {
      ips: splitAddresses(values.accessIps),
      require: values.accessRequire,
      keepsPassword: values.hasPassword && !values.removesPassword,
      password: values.removesPassword ? undefined : values.password || undefined,
    }),
    maintenance: getValueIfOwn('maintenance', {
      text: values.maintenanceText.trim(),
      until: values.maintenanceUntil ? new Date(values.maintenanceUntil).toISOString() : null,
      bypassIps: splitAddresses(values.maintenanceBypassIps),
    }),
    redirects: getValueIfOwn('redirects', parseRedirects(values.redirects)),
    headers: getValueIfOwn('headers', parseHeaders(values.headers)),
    noindex: values.noindex === 'unset' ? null : values.noindex === 'true',
    rate: getValueIfOwn('rate', { requests: toInteger(values.rateRequests), seconds: toInteger(values.rateSeconds) }),
    maxBodyMb: getValueIfOwn('maxBodyMb', toInteger(values.maxBodyMb)),
    timeoutSeconds: getValueIfOwn('timeoutSeconds', toInteger(values.timeoutSeconds)),
    branding: getValueIfOwn('branding', {
      name: values.brandingName.trim() || null,
      accent: values.brandingAccent.trim() || null,
      logoPng: values.brandingLogoPng || null,
    }),
  };
}
