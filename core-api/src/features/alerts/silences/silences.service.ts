import { type EntityManager, MoreThan } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { editRow } from '../../../platform/database/changes/apply-changes';
import type { ChangeContext, Database } from '../../../platform/database/database';
import { requireRow } from '../../../platform/database/queries/require-row';
import { createFieldError } from '../../../platform/errors/rule-error';
import { DAY_MS } from '../../../platform/time/relative-time';
import { Alert } from '../alert.entity';
import { MaintenanceWindow, Mute } from '../alert-settings.entity';
import { type FindSubject, requireSubject } from '../alert-subjects';
import { alertMessages as messages } from '../alerts.messages';
import {
  findWindowViolation,
  type MuteBody,
  type MuteResponse,
  type SubjectReference,
  type WindowBody,
  type WindowChanges,
  type WindowResponse,
} from '../alerts.schema';
import { findOccurrences, isWindowOpen } from './window-occurrences';

const MAX_MUTE_MS = 30 * DAY_MS;

/** Manages mutes and maintenance windows, which silence alerts. */
export class SilencesService {
  constructor(
    private readonly database: Database,
    private readonly findSubject: FindSubject,
    private readonly timeZone: string,
  ) {}

  /** Lists the mutes that have not ended. */
  async listMutes(): Promise<MuteResponse[]> {
    const inFuture = MoreThan(new Date().toISOString());
    const rows = await this.database.read.find(Mute, { where: { until: inFuture }, order: { until: 'ASC' } });
    return Promise.all(rows.map((row) => this.toMuteResponse(row)));
  }

  /** Mutes a subject for at most 30 days. @throws RuleError invalid */
  async createMute(context: ChangeContext, { subject, ...body }: MuteBody): Promise<MuteResponse> {
    const durationMs = Date.parse(body.until) - Date.now();
    if (durationMs <= 0 || durationMs > MAX_MUTE_MS) throw createFieldError('invalid', 'until', messages.until);
    const subjectId = await requireSubject(this.findSubject, subject);
    const row: Mute = {
      _id: uuid(),
      ...body,
      subjectType: subject.type,
      subjectId,
      createdBy: context.actor,
      createdAt: new Date().toISOString(),
    };
    await this.database.serializedWrite(context, (manager) => manager.insert(Mute, row));
    return this.toMuteResponse(row);
  }

  async removeMute(context: ChangeContext, id: string): Promise<void> {
    await this.database.serializedWrite(context, async (manager) => {
      await requireRow(manager, Mute, { _id: id }, messages.muteNotFound);
      await manager.delete(Mute, { _id: id });
    });
  }

  async listWindows(): Promise<WindowResponse[]> {
    const rows = await this.database.read.find(MaintenanceWindow, { order: { startsAt: 'ASC' } });
    return rows.map((row) => this.toWindowResponse(row));
  }

  /** Creates a maintenance window. @throws RuleError invalid if a subject does not exist */
  async createWindow(context: ChangeContext, { subjects, ...body }: WindowBody): Promise<WindowResponse> {
    const row: MaintenanceWindow = {
      _id: uuid(),
      ...body,
      subjects: await this.requireSubjects(subjects),
      createdAt: new Date().toISOString(),
      version: 1,
    };
    await this.database.serializedWrite(context, (manager) => manager.insert(MaintenanceWindow, row));
    return this.toWindowResponse(row);
  }

  /** Changes the fields that are present. @throws RuleError invalid, notFound, stale */
  async updateWindow(
    context: ChangeContext,
    id: string,
    { subjects, ...changes }: WindowChanges,
  ): Promise<WindowResponse> {
    const changedSubjects = subjects && { subjects: await this.requireSubjects(subjects) };
    return this.database.serializedWrite(context, async (manager) => {
      const row = editRow(await requireWindow(manager, id), { ...changes, ...changedSubjects }, context);
      const violation = findWindowViolation(row);
      if (violation) throw createFieldError('invalid', 'endsAt', violation);
      await manager.update(MaintenanceWindow, { _id: id }, row);
      return this.toWindowResponse(row);
    });
  }

  async removeWindow(context: ChangeContext, id: string): Promise<void> {
    await this.database.serializedWrite(context, async (manager) => {
      await requireWindow(manager, id);
      await manager.delete(MaintenanceWindow, { _id: id });
    });
  }

  /** Returns a function that lists a subject's maintenance periods that overlap `interval` (ms since the epoch). */
  async createMaintenanceLookup(interval: { from: number; until: number }) {
    const windows = await this.database.read.find(MaintenanceWindow);
    return ({ type, id }: SubjectReference) =>
      windows
        .filter(({ subjects }) => subjects.some((subject) => subject.type === type && subject.id === id))
        .flatMap((window) => findOccurrences(window, interval, this.timeZone));
  }

  private async toMuteResponse({ subjectType, subjectId, ...mute }: Mute): Promise<MuteResponse> {
    const newestAlert = await this.database.read.findOne(Alert, {
      select: { subjectName: true },
      where: { subjectType, subjectId },
      order: { firedAt: 'DESC' },
    });
    return { ...mute, subject: { type: subjectType, id: subjectId }, subjectName: newestAlert?.subjectName ?? null };
  }

  private async requireSubjects(subjects: readonly SubjectReference[]): Promise<SubjectReference[]> {
    const references: SubjectReference[] = [];
    for (const subject of subjects)
      references.push({ type: subject.type, id: await requireSubject(this.findSubject, subject, 'subjects') });
    return references;
  }

  private toWindowResponse(row: MaintenanceWindow): WindowResponse {
    return { ...row, active: isWindowOpen(row, Date.now(), this.timeZone) };
  }
}

const requireWindow = (manager: EntityManager, id: string): Promise<MaintenanceWindow> =>
  requireRow(manager, MaintenanceWindow, { _id: id }, messages.windowNotFound);
