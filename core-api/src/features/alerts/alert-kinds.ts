/** Conditions that raise an alert (design of the rules: contract §8). */
export const alertKinds = [
  'target_down',
  'dns_wrong',
  'dns_changed',
  'certificate_failing',
  'own_certificate',
  'certificate_ending',
  'errors',
  'key_expiring',
  'token_expiring',
  'backup',
  'disk',
  'machine_gone',
  'channel_failing',
  'database',
] as const;
export type AlertKind = (typeof alertKinds)[number];

/** From the least to the most urgent. */
export const severities = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

export const subjectTypes = ['subdomain', 'tenant', 'route', 'key', 'token', 'machine', 'installation'] as const;
export type SubjectType = (typeof subjectTypes)[number];

/** Subjects of alerts. The installation itself has the id `installation`. */
export interface Subject {
  type: SubjectType;
  id: string;
  name: string;
}

/** A condition that holds now, as a detector reports it. */
export interface Condition {
  kind: AlertKind;
  subject: Subject;
  /** The machine that observes it; empty if all machines would observe the same. */
  machineId: string;
  /** When it began, ISO 8601 UTC. */
  since: string;
  /** A sentence for people. */
  reason: string;
  /** A higher stage of the same condition notifies channels again. */
  stage?: number;
}

/** Numbers that an administrator may change, by kind. */
export const defaultThresholds: Record<AlertKind, Record<string, number>> = {
  target_down: {},
  dns_wrong: {},
  dns_changed: {},
  certificate_failing: {},
  own_certificate: {},
  certificate_ending: { days: 14 },
  errors: { percent: 5, count: 10 },
  key_expiring: { days: 14 },
  token_expiring: { days: 14 },
  backup: {},
  disk: { percent: 10, gib: 2 },
  machine_gone: { seconds: 120 },
  channel_failing: { minutes: 15 },
  database: { seconds: 30 },
};

export const defaultSeverities: Record<AlertKind, Severity> = {
  target_down: 'critical',
  dns_wrong: 'critical',
  dns_changed: 'warning',
  certificate_failing: 'critical',
  own_certificate: 'critical',
  certificate_ending: 'warning',
  errors: 'warning',
  key_expiring: 'info',
  token_expiring: 'info',
  backup: 'critical',
  disk: 'critical',
  machine_gone: 'critical',
  channel_failing: 'warning',
  database: 'critical',
};
