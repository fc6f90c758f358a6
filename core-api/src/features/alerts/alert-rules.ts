import { type AlertKind, kindDefaults, type Subject, type Thresholds } from './alert-kinds';
import type { AlertRule } from './alert-settings.entity';

/** The rule of a kind: that of the subject, or that of all subjects, or the defaults. */
export function ruleOf<Kind extends AlertKind>(
  rules: readonly AlertRule[],
  kind: Kind,
  subject?: Pick<Subject, 'type' | 'id'>,
): Pick<AlertRule, 'enabled' | 'severity' | 'channels'> & { thresholds: Thresholds<Kind> } {
  const ofKind = rules.filter((rule) => rule.kind === kind);
  const own = ofKind.find(({ subjectType, subjectId }) => subjectType === subject?.type && subjectId === subject.id);
  const found = own ?? ofKind.find(({ subjectType }) => subjectType === '');
  const { severity, thresholds: defaults } = kindDefaults[kind];
  const thresholds = { ...defaults, ...found?.thresholds } as Thresholds<Kind>;
  return { enabled: true, severity, channels: null, ...found, thresholds };
}
