import { type EntityManager, IsNull, LessThan, MoreThan } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { Database } from '../../platform/database/database';
import { insertAll } from '../../platform/database/insert-all';
import { Alert, AlertFlap, AlertNotification } from './alert.entity';
import type { AlertKind, Condition } from './alert-kinds';
import { ruleOf } from './alert-rules';
import type { AlertRule } from './alert-settings.entity';

/** Confirmed changes within an hour that make a subject flap. */
const FLAP_CHANGES = 4;
const FLAP_WINDOW_MS = 60 * 60_000;
/** A subject flaps no longer after this time without a change. */
const QUIET_MS = 30 * 60_000;

type AlertKey = Pick<Alert, 'kind' | 'subjectType' | 'subjectId' | 'machineId'>;

export const keyOfAlert = ({ kind, subjectType, subjectId, machineId }: AlertKey): string =>
  [kind, subjectType, subjectId, machineId].join(' ');

const keyOfCondition = ({ kind, subject, machineId }: Condition): AlertKey => ({
  kind,
  subjectType: subject.type,
  subjectId: subject.id,
  machineId,
});

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** Turns conditions into alerts: opens an alert when its condition appears, resolves it when the condition is gone. */
export class AlertEngine {
  constructor(private readonly database: Database) {}

  /** @param conditions all conditions of this kind that hold now */
  async reconcile(kind: AlertKind, conditions: readonly Condition[], rules: readonly AlertRule[]): Promise<void> {
    const wanted = new Map(
      conditions
        .filter((condition) => ruleOf(rules, kind, condition.subject).enabled)
        .map((condition) => [keyOfAlert(keyOfCondition(condition)), condition]),
    );
    const open = await this.database.read.findBy(Alert, { kind, resolvedAt: IsNull() });
    const openKeys = new Set(open.map(keyOfAlert));
    const appeared = [...wanted].filter(([key]) => !openKeys.has(key)).map(([, condition]) => condition);
    const gone = open.filter((alert) => !wanted.has(keyOfAlert(alert)));
    const raised = open.filter((alert) => (wanted.get(keyOfAlert(alert))?.stage ?? 0) > alert.stage);
    if (appeared.length + gone.length + raised.length === 0) return;
    await this.database.concurrentWrite(async (manager) => {
      for (const condition of appeared) await this.fire(manager, condition, rules);
      for (const alert of gone) await this.resolve(manager, alert);
      for (const alert of raised) await this.raise(manager, alert, wanted.get(keyOfAlert(alert)));
    });
  }

  /** Ends the flapping of subjects that were quiet for 30 minutes. */
  async endFlaps(): Promise<void> {
    const quiet = { lastChangeAt: LessThan(inMs(-QUIET_MS)) };
    if (!(await this.database.read.existsBy(AlertFlap, quiet))) return;
    await this.database.concurrentWrite((manager) => manager.delete(AlertFlap, quiet));
  }

  private async fire(manager: EntityManager, condition: Condition, rules: readonly AlertRule[]): Promise<void> {
    const { kind, subject, since, reason, stage = 0 } = condition;
    const key = keyOfCondition(condition);
    const row = {
      _id: uuid(),
      ...key,
      severity: ruleOf(rules, kind, subject).severity,
      subjectName: subject.name.slice(0, 255),
      reason: reason.slice(0, 500),
      since,
      firedAt: inMs(0),
      stage,
      resolvedAt: null,
      acknowledgedAt: null,
      acknowledgedBy: null,
      note: null,
    };
    await insertAll(manager, Alert, [row]);
    await this.noteChange(manager, key);
  }

  private async resolve(manager: EntityManager, alert: Alert): Promise<void> {
    await manager.update(Alert, { _id: alert._id, resolvedAt: IsNull() }, { resolvedAt: inMs(0) });
    await this.noteChange(manager, alert);
  }

  private async raise(manager: EntityManager, { _id }: Alert, condition: Condition | undefined): Promise<void> {
    if (!condition) return;
    const { reason, stage = 0 } = condition;
    await manager.update(Alert, { _id }, { reason: reason.slice(0, 500), stage });
    await manager.delete(AlertNotification, { alertId: _id, event: 'firing' });
  }

  /** Starts or prolongs the flapping of a subject that changes often. */
  private async noteChange(
    manager: EntityManager,
    { kind, subjectType, subjectId, machineId }: AlertKey,
  ): Promise<void> {
    const key = { kind, subjectType, subjectId, machineId };
    const now = inMs(0);
    const { affected } = await manager.update(AlertFlap, key, { lastChangeAt: now });
    if (affected) return;
    const recent = MoreThan(inMs(-FLAP_WINDOW_MS));
    const [fired, resolved] = [
      await manager.countBy(Alert, { ...key, firedAt: recent }),
      await manager.countBy(Alert, { ...key, resolvedAt: recent }),
    ];
    if (fired + resolved < FLAP_CHANGES) return;
    await insertAll(manager, AlertFlap, [{ _id: uuid(), ...key, startedAt: now, lastChangeAt: now }]);
  }
}
