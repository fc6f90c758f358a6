/** The severities from the least to the most urgent one. */
export const severities = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

interface KindDefaults {
  severity: Severity;
  /** Numbers that an administrator may change. */
  thresholds: Record<string, number>;
  /** Interval of the checks; absent for a kind that is reported without checks. */
  intervalMs?: number;
}

/** Conditions that raise an alert, with their default rules (contract §10). */
const kinds = {
  target_down: { severity: 'critical', thresholds: {}, intervalMs: 2_000 },
  dns_wrong: { severity: 'critical', thresholds: {}, intervalMs: 15_000 },
  dns_changed: { severity: 'warning', thresholds: {}, intervalMs: 15_000 },
  certificate_failing: { severity: 'critical', thresholds: {}, intervalMs: 15_000 },
  own_certificate: { severity: 'critical', thresholds: {}, intervalMs: 5_000 },
  certificate_ending: { severity: 'warning', thresholds: { days: 14 }, intervalMs: 15_000 },
  errors: { severity: 'warning', thresholds: { percent: 5, count: 10 }, intervalMs: 15_000 },
  key_expiring: { severity: 'info', thresholds: { days: 14 }, intervalMs: 15_000 },
  token_expiring: { severity: 'info', thresholds: { days: 14 }, intervalMs: 15_000 },
  backup: { severity: 'critical', thresholds: {}, intervalMs: 5_000 },
  disk: { severity: 'critical', thresholds: { percent: 10, gib: 2 }, intervalMs: 5_000 },
  machine_gone: { severity: 'critical', thresholds: { seconds: 120 }, intervalMs: 5_000 },
  channel_failing: { severity: 'warning', thresholds: { minutes: 15 }, intervalMs: 15_000 },
  database: { severity: 'critical', thresholds: { seconds: 30 } },
} satisfies Record<string, KindDefaults>;
export type AlertKind = keyof typeof kinds;
export const alertKinds = Object.keys(kinds) as AlertKind[];
export const kindDefaults: Record<AlertKind, KindDefaults> = kinds;
export type Thresholds<Kind extends AlertKind> = Record<keyof (typeof kinds)[Kind]['thresholds'], number>;

export const subjectTypes = ['subdomain', 'tenant', 'route', 'key', 'token', 'machine', 'installation'] as const;
export type SubjectType = (typeof subjectTypes)[number];

/** A subject of alerts. The installation itself has the id `installation`. */
export interface Subject {
  type: SubjectType;
  id: string;
  name: string;
}

/** A condition that holds now, as a detector reports it. */
export interface Condition {
  kind: AlertKind;
  subject: Subject;
  /** The machine that observes the condition; empty if all machines would observe the same. */
  machineId: string;
  /** Start of the condition, ISO 8601 UTC. */
  since: string;
  /** A sentence that the console and the channels show. */
  reason: string;
  /** Increases when the condition becomes more urgent. Channels are then notified again. */
  stage?: number;
}
