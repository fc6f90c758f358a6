import { type AlertKind, kindDefaults, type Subject, type Thresholds } from '../alert-kinds';
import type { AlertRule } from '../alert-settings.entity';

/** Returns the rule of the subject, else the rule of all subjects, else the defaults of the kind. */
export function resolveRule<Kind extends AlertKind>(
  rules: readonly AlertRule[],
  kind: Kind,
  subject?: Pick<Subject, 'type' | 'id'>,
): Pick<AlertRule, 'enabled' | 'severity' | 'channels'> & { thresholds: Thresholds<Kind> } {
  const rulesOfKind = rules.filter((rule) => rule.kind === kind);
  const subjectRule = rulesOfKind.find(
    ({ subjectType, subjectId }) => subjectType === subject?.type && subjectId === subject.id,
  );
  const rule = subjectRule ?? rulesOfKind.find(({ subjectType }) => subjectType === '');
  const defaults = kindDefaults[kind];
  const thresholds = { ...defaults.thresholds, ...rule?.thresholds } as Thresholds<Kind>;
  return { enabled: true, severity: defaults.severity, channels: null, ...rule, thresholds };
}
