import { type EntityManager, In, IsNull, LessThan } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { chunks, chunksInTurns } from '../../../platform/collections/chunks';
import type { Database } from '../../../platform/database/database';
import { insertAll } from '../../../platform/database/queries/insert-all';
import { readAllRows } from '../../../platform/database/queries/table-pages';
import { HOUR_MS, MINUTE_MS, toIsoFromNow } from '../../../platform/time/relative-time';
import { Alert, AlertFlap, type AlertIdentity, AlertNotification, toAlertKey } from '../alert.entity';
import type { AlertKind, Condition } from '../alert-kinds';
import type { AlertRule } from '../alert-settings.entity';
import { resolveRule } from '../rules/resolve-rule';

/** Number of changes within `FLAP_WINDOW_MS` that makes a subject flap. */
const FLAP_CHANGES = 4;
const FLAP_WINDOW_MS = HOUR_MS;
/** Flapping ends after this time without a change. */
const QUIET_MS = 30 * MINUTE_MS;
/** Selects the subjects of a kind ($1) that have changed so often since $2 that one more change makes them flap. */
const FLAP_CANDIDATES_SQL = `SELECT kind, "subjectType", "subjectId", "machineId" FROM alerts
  WHERE kind = $1 AND ("firedAt" > $2 OR "resolvedAt" > $2)
  GROUP BY kind, "subjectType", "subjectId", "machineId"
  HAVING SUM(CASE WHEN "firedAt" > $2 THEN 1 ELSE 0 END) + SUM(CASE WHEN "resolvedAt" > $2 THEN 1 ELSE 0 END)
    >= ${FLAP_CHANGES - 1}`;

const toAlertIdentity = ({ kind, subject, machineId }: Condition): AlertIdentity => ({
  kind,
  subjectType: subject.type,
  subjectId: subject.id,
  machineId,
});

/** Maximum number of alerts in one write. On SQLite, administrators' edits wait while the write runs. */
const BATCH_ALERTS = 200;

/** The fields of an open alert that are compared with a condition. */
export type OpenAlert = AlertIdentity & Pick<Alert, '_id' | 'stage'>;

/** Indexes items by key, in turns of the event loop. Items without a key are left out. */
async function indexInTurns<Item>(items: readonly Item[], toKey: (item: Item) => string | undefined) {
  const itemsByKey = new Map<string, Item>();
  for await (const chunk of chunksInTurns(items))
    for (const item of chunk) {
      const key = toKey(item);
      if (key !== undefined) itemsByKey.set(key, item);
    }
  return itemsByKey;
}

/** Compares the open alerts of a kind with its conditions. An alert whose condition has a higher stage is escalated. */
async function findChanges(
  openAlerts: readonly OpenAlert[],
  conditions: readonly Condition[],
  isEnabled: (condition: Condition) => boolean,
) {
  const openAlertsByKey = await indexInTurns(openAlerts, toAlertKey);
  const toConditionKey = (condition: Condition) =>
    isEnabled(condition) ? toAlertKey(toAlertIdentity(condition)) : undefined;
  const conditionsByKey = await indexInTurns(conditions, toConditionKey);
  const newConditions: Condition[] = [];
  for await (const chunk of chunksInTurns([...conditionsByKey]))
    for (const [key, condition] of chunk) if (!openAlertsByKey.has(key)) newConditions.push(condition);
  const resolvedAlerts: OpenAlert[] = [];
  const escalations: { alert: OpenAlert; condition: Condition }[] = [];
  for await (const chunk of chunksInTurns([...openAlertsByKey]))
    for (const [key, alert] of chunk) {
      const condition = conditionsByKey.get(key);
      if (!condition) resolvedAlerts.push(alert);
      else if ((condition.stage ?? 0) > alert.stage) escalations.push({ alert, condition });
    }
  return { newConditions, resolvedAlerts, escalations };
}

/** Turns conditions into alerts: opens an alert when its condition appears, resolves it when the condition is gone. */
export class AlertEngine {
  constructor(private readonly database: Database) {}

  listOpenAlerts(kind: AlertKind): Promise<OpenAlert[]> {
    return readAllRows<OpenAlert>(this.database.read, {
      table: 'alerts',
      columns: '_id, kind, "subjectType", "subjectId", "machineId", stage',
      where: 'kind = $2 AND "resolvedAt" IS NULL',
      values: [kind],
    });
  }

  /** Fires, resolves and escalates the alerts of a kind, given all its open alerts and all its current conditions. */
  async reconcile(
    kind: AlertKind,
    openAlerts: readonly OpenAlert[],
    conditions: readonly Condition[],
    rules: readonly AlertRule[],
  ): Promise<void> {
    const rulesOfKind = rules.filter((rule) => rule.kind === kind);
    const isEnabled = ({ subject }: Condition) => resolveRule(rulesOfKind, kind, subject).enabled;
    const { newConditions, resolvedAlerts, escalations } = await findChanges(openAlerts, conditions, isEnabled);
    if (newConditions.length + resolvedAlerts.length + escalations.length === 0) return;
    const flapCandidates = await this.findFlapCandidates(kind);
    await this.writeBatches(newConditions, (manager, batch) => this.fireAlerts(manager, batch, rules, flapCandidates));
    await this.writeBatches(resolvedAlerts, (manager, batch) => this.resolveAlerts(manager, batch, flapCandidates));
    await this.writeBatches(escalations, async (manager, batch) => {
      for (const { alert, condition } of batch) await this.escalateAlert(manager, alert, condition);
    });
  }

  private async writeBatches<Item>(
    items: readonly Item[],
    write: (manager: EntityManager, batch: Item[]) => Promise<void>,
  ): Promise<void> {
    for (const batch of chunks(items, BATCH_ALERTS))
      await this.database.concurrentWrite((manager) => write(manager, batch));
  }

  /** Ends the flapping of subjects that were quiet for 30 minutes. */
  async endFlaps(): Promise<void> {
    const quietFlaps = { lastChangeAt: LessThan(toIsoFromNow(-QUIET_MS)) };
    if (!(await this.database.read.existsBy(AlertFlap, quietFlaps))) return;
    await this.database.concurrentWrite((manager) => manager.delete(AlertFlap, quietFlaps));
  }

  private async fireAlerts(
    manager: EntityManager,
    conditions: readonly Condition[],
    rules: readonly AlertRule[],
    flapCandidates: ReadonlySet<string>,
  ): Promise<void> {
    const rows = conditions.map((condition) => {
      const { kind, subject, since, reason, stage = 0 } = condition;
      return {
        _id: uuid(),
        ...toAlertIdentity(condition),
        severity: resolveRule(rules, kind, subject).severity,
        subjectName: subject.name.slice(0, 255),
        reason: reason.slice(0, 500),
        since,
        firedAt: toIsoFromNow(0),
        stage,
        resolvedAt: null,
        acknowledgedAt: null,
        acknowledgedBy: null,
        note: null,
      };
    });
    await insertAll(manager, Alert, rows);
    await this.updateFlapping(manager, rows, flapCandidates);
  }

  private async resolveAlerts(
    manager: EntityManager,
    alerts: readonly OpenAlert[],
    flapCandidates: ReadonlySet<string>,
  ): Promise<void> {
    const ids = alerts.map(({ _id }) => _id);
    await manager.update(Alert, { _id: In(ids), resolvedAt: IsNull() }, { resolvedAt: toIsoFromNow(0) });
    await this.updateFlapping(manager, alerts, flapCandidates);
  }

  /** Stores a higher stage. Channels are notified again, because the notification of the lower stage is deleted. */
  private async escalateAlert(
    manager: EntityManager,
    { _id }: OpenAlert,
    { reason, stage = 0 }: Condition,
  ): Promise<void> {
    await manager.update(Alert, { _id }, { reason: reason.slice(0, 500), stage });
    await manager.delete(AlertNotification, { alertId: _id, event: 'firing' });
  }

  /** Keys of the subjects that start to flap at their next change. */
  private async findFlapCandidates(kind: AlertKind): Promise<Set<string>> {
    const values = [kind, toIsoFromNow(-FLAP_WINDOW_MS)];
    const identities = await this.database.read.query<AlertIdentity[]>(FLAP_CANDIDATES_SQL, values);
    return new Set(identities.map(toAlertKey));
  }

  /** Starts or prolongs the flapping of subjects that change often. */
  private async updateFlapping(
    manager: EntityManager,
    changedAlerts: readonly AlertIdentity[],
    flapCandidates: ReadonlySet<string>,
  ): Promise<void> {
    const now = toIsoFromNow(0);
    const subjects = { subjectId: In(changedAlerts.map(({ subjectId }) => subjectId)) };
    const flaps = new Map((await manager.findBy(AlertFlap, subjects)).map((flap) => [toAlertKey(flap), flap._id]));
    const ids = changedAlerts.flatMap((identity) => flaps.get(toAlertKey(identity)) ?? []);
    if (ids.length > 0) await manager.update(AlertFlap, { _id: In(ids) }, { lastChangeAt: now });
    const newFlaps = changedAlerts.filter((identity) => {
      const key = toAlertKey(identity);
      return !flaps.has(key) && flapCandidates.has(key);
    });
    const rows = newFlaps.map(({ kind, subjectType, subjectId, machineId }) => {
      return { _id: uuid(), kind, subjectType, subjectId, machineId, startedAt: now, lastChangeAt: now };
    });
    await insertAll(manager, AlertFlap, rows);
  }
}
