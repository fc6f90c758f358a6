import { hostPoliciesMessages as messages } from './host-policies.messages';
import type { PolicyValues } from './policyForm';

const { access, maintenance, redirects, headers, indexing, limits, branding } = messages;

/** Labels of the fields, shown if edits conflict. A password is not shown, only whether one is saved. */
export const fieldLabels: Record<Exclude<keyof PolicyValues, 'password' | 'removesPassword'>, string> = {
  accessState: messages.stateLabel(access.title),
  hasPassword: access.password,
  accessIps: access.accessIps,
  accessRequire: access.accessRequire,
  maintenanceState: messages.stateLabel(maintenance.title),
  maintenanceText: maintenance.maintenanceText,
  maintenanceUntil: maintenance.maintenanceUntil,
  maintenanceBypassIps: maintenance.maintenanceBypassIps,
  redirectsState: messages.stateLabel(redirects.title),
  redirects: redirects.title,
  headersState: messages.stateLabel(headers.title),
  headers: headers.title,
  noindex: indexing.title,
  rateState: messages.stateLabel(limits.rate.title),
  rateRequests: limits.rateRequests,
  rateSeconds: limits.rateSeconds,
  maxBodyState: messages.stateLabel(limits.maxBody.title),
  maxBodyMb: limits.maxBody.title,
  timeoutState: messages.stateLabel(limits.timeout.title),
  timeoutSeconds: limits.timeout.title,
  brandingState: messages.stateLabel(branding.title),
  brandingName: branding.brandingName,
  brandingAccent: branding.brandingAccent,
  brandingLogoPng: branding.logo,
};

/** Texts for values that a conflict does not show literally. */
const valueTexts: Partial<Record<keyof PolicyValues, Record<string, string>>> = {
  accessState: access.states,
  maintenanceState: maintenance.states,
  redirectsState: redirects.states,
  headersState: headers.states,
  rateState: limits.rate.states,
  maxBodyState: limits.maxBody.states,
  timeoutState: limits.timeout.states,
  brandingState: branding.states,
  accessRequire: access.requires,
  noindex: { unset: indexing.unset, true: indexing.noindex, false: indexing.index },
};

/** Returns the text of a value in a conflict, or undefined if the value itself is shown. */
export function formatFieldValue(field: keyof PolicyValues, value: unknown): string | undefined {
  if (field === 'brandingLogoPng' && value !== '') return branding.logoAlt;
  return valueTexts[field]?.[String(value)];
}
