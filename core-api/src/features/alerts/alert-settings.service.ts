import { type EntityManager, In, MoreThan } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { applyChanges, editRow } from '../../platform/database/apply-changes';
import type { ChangeContext, Database } from '../../platform/database/database';
import { findRow } from '../../platform/database/find-row';
import { insertAll } from '../../platform/database/insert-all';
import { mapUniqueViolation } from '../../platform/database/unique-violation';
import { fieldError, RuleError } from '../../platform/errors';
import { DAY_MS } from '../../platform/time/units';
import { Alert } from './alert.entity';
import { type AlertKind, alertKinds, kindDefaults } from './alert-kinds';
import { ruleOf } from './alert-rules';
import { AlertChannel, AlertRule, MaintenanceWindow, Mute } from './alert-settings.entity';
import { alertMessages as messages } from './alerts.messages';
import {
  type MuteBody,
  type MuteResponse,
  type RuleBody,
  type RuleChanges,
  type RuleResponse,
  type SubjectReference,
  type WindowBody,
  type WindowChanges,
  type WindowResponse,
  windowFault,
} from './alerts.schema';
import { isWindowOpen, occurrencesOf } from './silences';

const MAX_MUTE_MS = 30 * DAY_MS;

interface SettingsOptions {
  database: Database;
  timeZone: string;
  /** The id of an existing subject; a subdomain may be named by its label. */
  findSubject: (subject: SubjectReference) => Promise<string | undefined>;
}

/** Rules, mutes and maintenance windows. */
export class AlertSettingsService {
  constructor(private readonly options: SettingsOptions) {}

  /** Lists the rule of each kind, and the rules of single subjects. */
  async rules(): Promise<RuleResponse[]> {
    const rows = await this.options.database.read.find(AlertRule, { order: { kind: 'ASC', subjectType: 'ASC' } });
    return rows.map(presentRule);
  }

  /** Stores the rule of each kind that has no rule yet. Called at the start. */
  async ensureRules(): Promise<void> {
    await this.options.database.concurrentWrite(async (manager) => {
      const existingKinds = new Set((await manager.findBy(AlertRule, { subjectType: '' })).map(({ kind }) => kind));
      await insertAll(manager, AlertRule, alertKinds.filter((kind) => !existingKinds.has(kind)).map(defaultRule), {
        ignoreExisting: true,
      });
    });
  }

  /** @throws RuleError invalid, conflict */
  async createRule(context: ChangeContext, { kind, subject, ...changes }: RuleBody): Promise<RuleResponse> {
    const subjectId = await this.requireSubject(subject);
    const { database } = this.options;
    const row = await database
      .serializedWrite(context, async (manager) => {
        await checkRule(manager, kind, changes);
        const { enabled, severity, thresholds: defaults, channels } = ruleOf(await manager.find(AlertRule), kind);
        const thresholds = { ...defaults, ...changes.thresholds };
        const edited = applyChanges({ enabled, severity, thresholds, channels }, { ...changes, thresholds });
        const created = { _id: uuid(), kind, subjectType: subject.type, subjectId, ...edited, version: 1 };
        await manager.insert(AlertRule, { ...created });
        return created;
      })
      .catch(mapUniqueViolation({ 'alert_rules(kind, subjectType, subjectId)': ['subject', messages.ruleTaken] }));
    return presentRule(row);
  }

  /** @throws RuleError invalid, notFound, stale */
  async updateRule(context: ChangeContext, id: string, changes: RuleChanges): Promise<RuleResponse> {
    return this.options.database.serializedWrite(context, async (manager) => {
      const stored = await findRule(manager, id);
      await checkRule(manager, stored.kind, changes);
      const thresholds = { ...stored.thresholds, ...changes.thresholds };
      const row = editRow(stored, { ...changes, thresholds }, context);
      await manager.update(AlertRule, { _id: id }, row);
      return presentRule(row);
    });
  }

  /** @throws RuleError notFound, conflict for the rule of all subjects */
  async removeRule(context: ChangeContext, id: string): Promise<void> {
    await this.options.database.serializedWrite(context, async (manager) => {
      const { subjectType } = await findRule(manager, id);
      if (subjectType === '') throw new RuleError('conflict', messages.ruleGeneral);
      await manager.delete(AlertRule, { _id: id });
    });
  }

  /** Lists the mutes that have not ended. */
  async mutes(): Promise<MuteResponse[]> {
    const notEnded = MoreThan(new Date().toISOString());
    const rows = await this.options.database.read.find(Mute, { where: { until: notEnded }, order: { until: 'ASC' } });
    return Promise.all(rows.map((row) => this.presentMute(row)));
  }

  /** @throws RuleError invalid */
  async mute(context: ChangeContext, { subject, ...body }: MuteBody): Promise<MuteResponse> {
    const durationMs = Date.parse(body.until) - Date.now();
    if (durationMs <= 0 || durationMs > MAX_MUTE_MS) throw fieldError('invalid', 'until', messages.until);
    const subjectId = await this.requireSubject(subject);
    const row: Mute = {
      _id: uuid(),
      ...body,
      subjectType: subject.type,
      subjectId,
      createdBy: context.actor,
      createdAt: new Date().toISOString(),
    };
    await this.options.database.serializedWrite(context, (manager) => manager.insert(Mute, { ...row }));
    return this.presentMute(row);
  }

  /** @throws RuleError notFound */
  async unmute(context: ChangeContext, id: string): Promise<void> {
    await this.options.database.serializedWrite(context, async (manager) => {
      await findRow(manager, Mute, { _id: id }, messages.muteNotFound);
      await manager.delete(Mute, { _id: id });
    });
  }

  async windows(): Promise<WindowResponse[]> {
    const rows = await this.options.database.read.find(MaintenanceWindow, { order: { startsAt: 'ASC' } });
    return rows.map((row) => this.presentWindow(row));
  }

  /** @throws RuleError invalid */
  async createWindow(context: ChangeContext, { subjects, ...body }: WindowBody): Promise<WindowResponse> {
    const row: MaintenanceWindow = {
      _id: uuid(),
      ...body,
      subjects: await this.requireSubjects(subjects),
      createdAt: new Date().toISOString(),
      version: 1,
    };
    await this.options.database.serializedWrite(context, (manager) => manager.insert(MaintenanceWindow, { ...row }));
    return this.presentWindow(row);
  }

  /** @throws RuleError invalid, notFound, stale */
  async updateWindow(
    context: ChangeContext,
    id: string,
    { subjects, ...changes }: WindowChanges,
  ): Promise<WindowResponse> {
    const changedSubjects = subjects && { subjects: await this.requireSubjects(subjects) };
    return this.options.database.serializedWrite(context, async (manager) => {
      const row = editRow(await findWindow(manager, id), { ...changes, ...changedSubjects }, context);
      const fault = windowFault(row);
      if (fault) throw fieldError('invalid', 'endsAt', fault);
      await manager.update(MaintenanceWindow, { _id: id }, row);
      return this.presentWindow(row);
    });
  }

  /** @throws RuleError notFound */
  async removeWindow(context: ChangeContext, id: string): Promise<void> {
    await this.options.database.serializedWrite(context, async (manager) => {
      await findWindow(manager, id);
      await manager.delete(MaintenanceWindow, { _id: id });
    });
  }

  /** Maintenance of one subject within an interval, in ms since the epoch. */
  async readMaintenance(interval: { from: number; until: number }) {
    const windows = await this.options.database.read.find(MaintenanceWindow);
    return ({ type, id }: SubjectReference) =>
      windows
        .filter(({ subjects }) => subjects.some((subject) => subject.type === type && subject.id === id))
        .flatMap((window) => occurrencesOf(window, interval, this.options.timeZone));
  }

  private async presentMute({ subjectType, subjectId, ...mute }: Mute): Promise<MuteResponse> {
    const newest = await this.options.database.read.findOne(Alert, {
      select: { subjectName: true },
      where: { subjectType, subjectId },
      order: { firedAt: 'DESC' },
    });
    return { ...mute, subject: { type: subjectType, id: subjectId }, subjectName: newest?.subjectName ?? null };
  }

  private async requireSubjects(subjects: readonly SubjectReference[]): Promise<SubjectReference[]> {
    const references: SubjectReference[] = [];
    for (const subject of subjects)
      references.push({ type: subject.type, id: await this.requireSubject(subject, 'subjects') });
    return references;
  }

  /** @throws RuleError invalid for a subject that does not exist */
  private async requireSubject(subject: SubjectReference, field = 'subject'): Promise<string> {
    const id = await this.options.findSubject(subject);
    if (id === undefined) throw fieldError('invalid', field, messages.subjectNotFound);
    return id;
  }

  private presentWindow(row: MaintenanceWindow): WindowResponse {
    return { ...row, active: isWindowOpen(row, Date.now(), this.options.timeZone) };
  }
}

const defaultRule = (kind: AlertKind): AlertRule => ({
  _id: uuid(),
  kind,
  subjectType: '',
  subjectId: '',
  ...ruleOf([], kind),
  version: 1,
});

/** @throws RuleError invalid for an unknown threshold or channel */
async function checkRule(
  manager: EntityManager,
  kind: AlertKind,
  { thresholds, channels }: RuleChanges,
): Promise<void> {
  if (Object.keys(thresholds ?? {}).some((name) => !(name in kindDefaults[kind].thresholds)))
    throw fieldError('invalid', 'thresholds', messages.thresholds);
  if (!channels) return;
  const knownCount = await manager.countBy(AlertChannel, { _id: In(channels) });
  if (knownCount < new Set(channels).size) throw fieldError('invalid', 'channels', messages.channels);
}

const presentRule = ({ subjectType, subjectId, ...rule }: AlertRule): RuleResponse => ({
  ...rule,
  subject: subjectType === '' ? null : { type: subjectType, id: subjectId },
});

const findRule = (manager: EntityManager, id: string): Promise<AlertRule> =>
  findRow(manager, AlertRule, { _id: id }, messages.ruleNotFound);

const findWindow = (manager: EntityManager, id: string): Promise<MaintenanceWindow> =>
  findRow(manager, MaintenanceWindow, { _id: id }, messages.windowNotFound);
