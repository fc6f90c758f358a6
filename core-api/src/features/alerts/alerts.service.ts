import { type FindOptionsWhere, In, IsNull, Not } from 'typeorm';
import type { ChangeContext, Database } from '../../platform/database/database';
import { requireRow } from '../../platform/database/queries/require-row';
import { RuleError } from '../../platform/errors/rule-error';
import { toSkipAndTake } from '../../platform/http/lists/paging';
import { Alert, AlertFlap, AlertMessage, AlertNotification, Machine, toAlertKey } from './alert.entity';
import { AlertChannel } from './alert-settings.entity';
import { alertMessages as messages } from './alerts.messages';
import type { AlertResponse, AlertsQuery } from './alerts.schema';

export class AlertsService {
  constructor(private readonly database: Database) {}

  /** Lists alerts, the newest first. */
  async list({ state, kind, ...page }: AlertsQuery): Promise<{ alerts: AlertResponse[]; total: number }> {
    const where: FindOptionsWhere<Alert> = {
      ...(kind && { kind }),
      ...(state && { resolvedAt: state === 'open' ? IsNull() : Not(IsNull()) }),
    };
    const [alerts, total] = await this.database.read.findAndCount(Alert, {
      where,
      order: { firedAt: 'DESC', _id: 'DESC' },
      ...toSkipAndTake(page),
    });
    return { alerts: await this.toResponses(alerts), total };
  }

  countOpen(): Promise<number> {
    return this.database.read.countBy(Alert, { resolvedAt: IsNull() });
  }

  /** Acknowledges an alert. @throws RuleError notFound; conflict for a resolved alert */
  async acknowledge(context: ChangeContext, id: string, note: string | null): Promise<AlertResponse> {
    const alert = await this.database.concurrentWrite(async (manager) => {
      const storedAlert = await requireRow(manager, Alert, { _id: id }, messages.notFound);
      if (storedAlert.resolvedAt !== null) throw new RuleError('conflict', messages.resolvedAlready);
      const changes = { acknowledgedAt: new Date().toISOString(), acknowledgedBy: context.actor, note };
      await manager.update(Alert, { _id: id }, changes);
      return { ...storedAlert, ...changes };
    });
    const [response] = await this.toResponses([alert]);
    if (!response) throw new RuleError('notFound', messages.notFound);
    return response;
  }

  private async toResponses(alerts: readonly Alert[]): Promise<AlertResponse[]> {
    if (alerts.length === 0) return [];
    const { read } = this.database;
    const notifications = await read.findBy(AlertNotification, { alertId: In(alerts.map(({ _id }) => _id)) });
    const messageIds = notifications.flatMap(({ messageId }) => messageId ?? []);
    const storedMessages = await read.findBy(AlertMessage, { _id: In(messageIds) });
    const messagesById = new Map(storedMessages.map((message) => [message._id, message]));
    const channelNames = new Map((await read.find(AlertChannel)).map(({ _id, name }) => [_id, name]));
    const machines = await read.find(Machine, { select: { _id: true, name: true } });
    const machineNames = new Map(machines.map(({ _id, name }) => [_id, name]));
    const flappingKeys = new Set((await read.find(AlertFlap)).map(toAlertKey));
    return alerts.map((alert) => ({
      ...alert,
      subject: { type: alert.subjectType, id: alert.subjectId, name: alert.subjectName },
      machine: machineNames.get(alert.machineId) ?? (alert.machineId || null),
      state: alert.resolvedAt === null ? ('open' as const) : ('resolved' as const),
      flapping: flappingKeys.has(toAlertKey(alert)),
      deliveries: notifications
        .filter(({ alertId }) => alertId === alert._id)
        .map(({ channelId, event, messageId }) => {
          const message = messagesById.get(messageId ?? '');
          return {
            channel: channelNames.get(channelId) ?? channelId,
            event,
            state: message?.state ?? ('waiting' as const),
            deliveredAt: message?.deliveredAt ?? null,
            lastError: message?.lastError ?? null,
          };
        }),
    }));
  }
}
