import { type AlertKind, kindDefaults, type Subject } from './alert-kinds';
import type { AlertRule } from './alert-settings.entity';

/** The rule that applies to a subject: its own, or that of all subjects, or the defaults. */
export function ruleOf(
  rules: readonly AlertRule[],
  kind: AlertKind,
  { type, id }: Pick<Subject, 'type' | 'id'>,
): Pick<AlertRule, 'enabled' | 'severity' | 'thresholds' | 'channels'> {
  const own = rules.find((rule) => rule.kind === kind && rule.subjectType === type && rule.subjectId === id);
  return own ?? generalRule(rules, kind);
}

/** The rule of all subjects. */
export function generalRule(
  rules: readonly AlertRule[],
  kind: AlertKind,
): Pick<AlertRule, 'enabled' | 'severity' | 'thresholds' | 'channels'> {
  const found = rules.find((rule) => rule.kind === kind && rule.subjectType === '');
  const { severity, thresholds: defaults } = kindDefaults[kind];
  return { enabled: true, severity, channels: null, ...found, thresholds: { ...defaults, ...found?.thresholds } };
}
