import { chunksInTurns } from '../../../platform/collections/chunks';
import { toDisplayHost } from '../../../platform/net/hostname';
import { DAY_MS, MINUTE_MS } from '../../../platform/time/relative-time';
import type { DomainAlertCandidate, DomainReports } from '../../domains';
import type { RequestLogService } from '../../gateway/requests';
import type { TargetHealthService } from '../../target-health';
import type { AlertKind, Condition, Subject, Thresholds } from '../alert-kinds';
import { alertMessages as messages } from '../alerts.messages';

const ERRORS_WINDOW_MS = 5 * MINUTE_MS;
/** Hysteresis: an open alert ends when the errors fall below this fraction of the threshold. */
const ERRORS_HYSTERESIS = 0.5;
const UNUSED_AFTER_MS = 30 * DAY_MS;
const CERTIFICATE_LOOKAHEAD_MS = 90 * DAY_MS;
/** Number of days before an expiry at which the last reminder is sent. */
const LAST_REMINDER_DAYS = 3;
/** Checks in a row, two minutes apart, that confirm a broken domain. */
const CONFIRMING_CHECKS = 3;
/** A certificate with a short life counts as ending only within this last fraction of its life. */
const ENDING_SHARE = 0.2;

interface CheckedSite {
  id: string;
  name: string;
  /** Key of the host's target. */
  target: string;
}

interface ExpiringItem {
  _id: string;
  name: string;
  expiresAt: string | null;
}

/** Data that detectors read from other features. */
export interface AlertSources {
  /** Hosts with health checks, in pages. */
  listHosts: Record<'subdomain' | 'tenant', () => AsyncIterable<CheckedSite[]>>;
  listDownTargets: TargetHealthService['listConfirmedDown'];
  listDomainCandidates: DomainReports['listAlertCandidates'];
  listErrorRates: RequestLogService['listErrorRates'];
  findNames: (type: 'subdomain' | 'tenant' | 'route', ids: readonly string[]) => Promise<Map<string, string>>;
  findExpiringItems: Record<'key' | 'token', (before: string, usedSince: string) => Promise<ExpiringItem[]>>;
  findBackupConditions: () => Promise<Condition[]>;
}

export interface DetectorContext {
  now: number;
  resolveThresholds: <Kind extends AlertKind>(kind: Kind, subject: Pick<Subject, 'type' | 'id'>) => Thresholds<Kind>;
  /** Whether an alert of the detector's kind about the subject is open. */
  isOpen: (subject: Pick<Subject, 'type' | 'id'>) => boolean;
}

type Detector = (sources: AlertSources, context: DetectorContext) => Promise<Condition[]>;

const toIso = (ms: number): string => new Date(ms).toISOString();

const detectDownTargets: Detector = async (sources) => {
  const downTargets = await sources.listDownTargets();
  if (downTargets.length === 0) return [];
  const hostsByTarget = new Map<string, Subject[]>(downTargets.map(({ target }) => [target, []]));
  for (const type of ['subdomain', 'tenant'] as const)
    for await (const hosts of sources.listHosts[type]())
      for (const { target, id, name } of hosts) hostsByTarget.get(target)?.push({ type, id, name });
  const conditions: Condition[] = [];
  for await (const chunk of chunksInTurns(downTargets))
    for (const { target, machineId, confirmedSince, reason } of chunk)
      for (const subject of hostsByTarget.get(target) ?? []) {
        const since = confirmedSince ?? toIso(Date.now());
        conditions.push({ kind: 'target_down', subject, machineId, since, reason: reason ?? '' });
      }
  return conditions;
};

/** Creates a detector that returns one condition per site: the site's domains and their `www` are one subject. */
const createDomainDetector =
  (
    kind: AlertKind,
    matches: (row: DomainAlertCandidate, context: DetectorContext) => boolean,
    formatReason: (row: DomainAlertCandidate, now: number) => string,
  ): Detector =>
  async (sources, context) => {
    const rows = await sources.listDomainCandidates(toIso(context.now + CERTIFICATE_LOOKAHEAD_MS));
    const conditionsBySite = new Map<string, Condition>();
    for (const storedRow of rows.filter((candidate) => matches(candidate, context))) {
      const row = { ...storedRow, host: toDisplayHost(storedRow.host) };
      if (conditionsBySite.has(row.ownerId)) continue;
      const subject = { type: row.ownerKind, id: row.ownerId, name: row.host };
      const since = kind === 'certificate_ending' ? toIso(context.now) : (row.changedAt ?? row.watchedSince);
      const reason = formatReason(row, context.now);
      conditionsBySite.set(row.ownerId, { kind, subject, machineId: '', since, reason });
    }
    return [...conditionsBySite.values()];
  };

const countDaysUntil = (instant: string | null, now: number): number =>
  Math.max(0, Math.floor((Date.parse(instant ?? toIso(now)) - now) / DAY_MS));

const detectWrongDns = createDomainDetector(
  'dns_wrong',
  ({ dns, checks }) => (dns === 'wrong' || dns === 'missing') && checks >= CONFIRMING_CHECKS,
  ({ host }) => messages.dns(host),
);

const detectChangedDns = createDomainDetector(
  'dns_changed',
  ({ changedAt, changedChecks }) => changedAt !== null && changedChecks >= CONFIRMING_CHECKS,
  ({ host, knownFound, found: currentRecords }) =>
    messages.dnsChanged(host, knownFound.join(', '), currentRecords.join(', ')),
);

const detectFailingCertificates = createDomainDetector(
  'certificate_failing',
  ({ dns, certificateState, checks }) => dns === 'ok' && certificateState === 'failed' && checks >= CONFIRMING_CHECKS,
  ({ host }) => messages.certificateFailing(host),
);

const detectEndingCertificates = createDomainDetector(
  'certificate_ending',
  ({ ownerKind, ownerId, certificateState, issuedAt, expiresAt }, { now, resolveThresholds }) => {
    const { days } = resolveThresholds('certificate_ending', { type: ownerKind, id: ownerId });
    if (certificateState !== 'active' || expiresAt === null) return false;
    const expiresAtMs = Date.parse(expiresAt);
    const lifeMs = issuedAt === null ? Number.POSITIVE_INFINITY : expiresAtMs - Date.parse(issuedAt);
    return expiresAtMs - now < Math.min(days * DAY_MS, lifeMs * ENDING_SHARE);
  },
  ({ host, expiresAt }, now) => messages.certificateEnding(host, countDaysUntil(expiresAt, now)),
);

async function detectErrorsOf(
  type: 'subdomain' | 'tenant' | 'route',
  sources: AlertSources,
  context: DetectorContext,
): Promise<Condition[]> {
  const since = toIso(context.now - ERRORS_WINDOW_MS);
  const rates = (await sources.listErrorRates(`${type}Id`, since)).filter(({ id, errors, total }) => {
    const { percent, count } = context.resolveThresholds('errors', { type, id });
    const isOpen = context.isOpen({ type, id });
    const minPercent = isOpen ? percent * ERRORS_HYSTERESIS : percent;
    return (errors / total) * 100 >= minPercent && (isOpen || errors >= count);
  });
  if (rates.length === 0) return [];
  const ids = rates.map(({ id }) => id);
  const names = await sources.findNames(type, ids);
  return rates.flatMap(({ id, errors, total }) => {
    const name = names.get(id);
    // The host or route was removed.
    if (name === undefined) return [];
    const reason = messages.errorRate(Math.round((errors / total) * 100), errors);
    return [{ kind: 'errors', subject: { type, id, name }, machineId: '', since, reason }];
  });
}

const detectErrors: Detector = async (sources, context) => {
  const conditions: Condition[] = [];
  for (const type of ['subdomain', 'tenant', 'route'] as const)
    conditions.push(...(await detectErrorsOf(type, sources, context)));
  return conditions;
};

const createExpiryDetector =
  (type: 'key' | 'token'): Detector =>
  async (sources, { now, resolveThresholds }) => {
    const kind = `${type}_expiring` as const;
    const latestEnd = toIso(now + 366 * DAY_MS);
    const rows = await sources.findExpiringItems[type](latestEnd, toIso(now - UNUSED_AFTER_MS));
    return rows.flatMap(({ _id: id, name, expiresAt }) => {
      const remainingMs = Date.parse(expiresAt ?? latestEnd) - now;
      const { days } = resolveThresholds(kind, { type, id });
      if (remainingMs > days * DAY_MS) return [];
      const stage = remainingMs <= LAST_REMINDER_DAYS * DAY_MS ? 1 : 0;
      const reason = messages.expiring(countDaysUntil(expiresAt, now));
      return [{ kind, subject: { type, id, name }, machineId: '', since: toIso(now), reason, stage }];
    });
  };

/** The detectors that read data of other features. `AlertJob` finds the conditions of the other kinds. */
export const detectors: Partial<Record<AlertKind, Detector>> = {
  target_down: detectDownTargets,
  dns_wrong: detectWrongDns,
  dns_changed: detectChangedDns,
  certificate_failing: detectFailingCertificates,
  certificate_ending: detectEndingCertificates,
  errors: detectErrors,
  key_expiring: createExpiryDetector('key'),
  token_expiring: createExpiryDetector('token'),
  backup: (sources) => sources.findBackupConditions(),
};
