import { Between, type EntityManager, In, IsNull, MoreThan } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { chunks, chunksInTurns } from '../../../platform/collections/chunks';
import { groupBy } from '../../../platform/collections/group-by';
import type { Database } from '../../../platform/database/database';
import { claimBatch } from '../../../platform/database/queries/dialect';
import { insertAll } from '../../../platform/database/queries/insert-all';
import { readAllRows } from '../../../platform/database/queries/table-pages';
import { DAY_MS, hasPassed, MINUTE_MS, toIsoFromNow } from '../../../platform/time/relative-time';
import { type Alert, type AlertEvent, AlertFlap, AlertMessage, AlertNotification, toAlertKey } from '../alert.entity';
import { type Severity, severities } from '../alert-kinds';
import { AlertChannel, AlertRule, MaintenanceWindow, Mute } from '../alert-settings.entity';
import { resolveRule } from '../rules/resolve-rule';
import { Suppressions } from './suppressions';

/** The oldest notification waits this long, so that further notifications can join its message. */
const GROUP_WAIT_MS = 15_000;
/** After a message about several alerts the next message waits this long. */
const GROUP_INTERVAL_MS = 5 * MINUTE_MS;
/** Channels are not notified of resolutions that are older than this. */
const MAX_RESOLUTION_AGE_MS = DAY_MS;

const isAtLeast = (severity: Severity, minimum: Severity) =>
  severities.indexOf(severity) >= severities.indexOf(minimum);

/** Whether an alert matches a channel. A failing channel is not notified of its own failure. */
const matchesChannel = (
  alert: Pick<Alert, 'severity' | 'kind' | 'subjectId'>,
  { _id, enabled, minSeverity }: AlertChannel,
  ruleChannels: readonly string[] | null,
): boolean =>
  enabled &&
  isAtLeast(alert.severity, minSeverity) &&
  (ruleChannels === null || ruleChannels.includes(_id)) &&
  !(alert.kind === 'channel_failing' && alert.subjectId === _id);

/**
 * Decides which channel is notified of which event, and groups pending notifications into messages. The decision
 * depends on stored rows only, so a killed process loses no notification. A silenced alert whose condition still holds
 * is sent when the silence ends.
 */
export class NotificationPlanner {
  constructor(
    private readonly database: Database,
    private readonly timeZone: string,
  ) {}

  /** Creates the messages that are due. @returns whether a message was created */
  async plan(): Promise<boolean> {
    const { read } = this.database;
    const channels = await read.find(AlertChannel);
    if (channels.length === 0) return false;
    const alerts = await readAllRows<Alert>(read, {
      table: 'alerts',
      columns: '*',
      where: '"resolvedAt" IS NULL OR "resolvedAt" > $2',
      values: [toIsoFromNow(-MAX_RESOLUTION_AGE_MS)],
    });
    if (alerts.length === 0) return false;
    const storedNotifications: AlertNotification[] = [];
    for (const ids of chunks(alerts.map(({ _id }) => _id)))
      storedNotifications.push(...(await read.findBy(AlertNotification, { alertId: In(ids) })));
    const missingNotifications = await this.findMissingNotifications(alerts, channels, storedNotifications);
    const isWaiting =
      missingNotifications.length > 0 || storedNotifications.some(({ messageId }) => messageId === null);
    if (!isWaiting) return false;
    for (const batch of chunks(missingNotifications))
      await this.database.concurrentWrite((manager) => insertAll(manager, AlertNotification, batch));
    return this.database.concurrentWrite(async (manager) => {
      let hasNewMessage = false;
      for (const channel of channels) hasNewMessage = (await this.createMessage(manager, channel)) || hasNewMessage;
      return hasNewMessage;
    });
  }

  private async findMissingNotifications(
    alerts: readonly Alert[],
    channels: readonly AlertChannel[],
    storedNotifications: readonly AlertNotification[],
  ): Promise<AlertNotification[]> {
    const { read } = this.database;
    const rules = await read.find(AlertRule);
    const suppressions = new Suppressions({
      mutes: await read.find(Mute),
      windows: await read.find(MaintenanceWindow),
      flaps: await read.find(AlertFlap),
      openAlerts: alerts.filter(({ resolvedAt }) => resolvedAt === null),
      timeZone: this.timeZone,
      now: Date.now(),
    });
    const storedByAlertAndChannel = groupBy(storedNotifications, ({ alertId, channelId }) => `${alertId} ${channelId}`);
    const wasNotifiedOfFlap = indexFlapNotifications(alerts, storedNotifications);
    const createdAt = toIsoFromNow(0);
    const createNotifications = (alert: Alert): AlertNotification[] => {
      if (suppressions.isSilenced(alert)) return [];
      const { _id: alertId, kind, subjectType, subjectId } = alert;
      const rule = resolveRule(rules, kind, { type: subjectType, id: subjectId });
      const flap = suppressions.findFlap(alert);
      const event = findCurrentEvent(alert, flap !== undefined);
      const dueChannels = channels.filter(
        (channel) =>
          matchesChannel(alert, channel, rule.channels) &&
          shouldNotify(alert, event, storedByAlertAndChannel.get(`${alertId} ${channel._id}`) ?? [], suppressions) &&
          !(flap && wasNotifiedOfFlap(flap, channel._id)),
      );
      return dueChannels.map(({ _id: channelId }) => ({ alertId, channelId, event, messageId: null, createdAt }));
    };
    const missingNotifications: AlertNotification[] = [];
    for await (const chunk of chunksInTurns(findNewestByKey(alerts)))
      missingNotifications.push(...chunk.flatMap(createNotifications));
    return missingNotifications;
  }

  /**
   * Creates one message from a channel's waiting notifications, once the oldest has waited for `GROUP_WAIT_MS`.
   * @returns whether a message was created
   */
  private async createMessage(manager: EntityManager, { _id: channelId, type }: AlertChannel): Promise<boolean> {
    const pendingNotifications = await manager.findBy(AlertNotification, { channelId, messageId: IsNull() });
    const waitingNotifications = await this.joinUndelivered(manager, pendingNotifications);
    if (waitingNotifications === undefined) return false;
    const oldestAt = waitingNotifications.map(({ createdAt }) => createdAt).sort()[0];
    // Instants of the future were stored before the clock was set back, and do not delay the message.
    if (oldestAt === undefined || !hasPassed(Date.parse(oldestAt), GROUP_WAIT_MS)) return false;
    const recently = Between(toIsoFromNow(-GROUP_INTERVAL_MS), toIsoFromNow(0));
    if (await manager.existsBy(AlertMessage, { channelId, createdAt: recently, subjects: MoreThan(1) })) return false;
    const _id = uuid();
    const now = toIsoFromNow(0);
    const subjects = new Set(waitingNotifications.map(({ alertId }) => alertId)).size;
    const message = { _id, channelId, channelType: type, state: 'pending' as const, attempts: 0, nextAttemptAt: now };
    await manager.insert(AlertMessage, { ...message, deliveredAt: null, lastError: null, subjects, createdAt: now });
    await manager.update(AlertNotification, { channelId, messageId: IsNull() }, { messageId: _id });
    return true;
  }

  /**
   * A resolution joins the message about its alert while that message cannot have arrived, so that the receiver gets
   * one message. A message whose attempt runs or was interrupted may have arrived. It keeps its content, because
   * receivers ignore a second message with the same id.
   * @returns the notifications that still wait; undefined if a notification waits for the end of an attempt
   */
  private async joinUndelivered(
    manager: EntityManager,
    pendingNotifications: readonly AlertNotification[],
  ): Promise<AlertNotification[] | undefined> {
    const waitingNotifications: AlertNotification[] = [];
    for (const notification of pendingNotifications) {
      const { alertId, channelId, event } = notification;
      const message = event === 'resolved' ? await claimFiringMessage(manager, notification) : undefined;
      if (!message) waitingNotifications.push(notification);
      else if (message.attempts > 0 && message.lastError === null) return undefined;
      else await manager.update(AlertNotification, { alertId, channelId, event }, { messageId: message._id });
    }
    return waitingNotifications;
  }
}

/** Returns a function that tells whether a channel was notified of a flap since the flap started. */
function indexFlapNotifications(alerts: readonly Alert[], storedNotifications: readonly AlertNotification[]) {
  const keys = new Map(alerts.map((alert) => [alert._id, toAlertKey(alert)]));
  const lastNotifiedAt = new Map<string, string>();
  for (const { alertId, channelId, event, createdAt } of storedNotifications) {
    const key = `${keys.get(alertId)} ${channelId}`;
    if (event === 'flapping' && createdAt > (lastNotifiedAt.get(key) ?? '')) lastNotifiedAt.set(key, createdAt);
  }
  return (flap: AlertFlap, channelId: string): boolean =>
    (lastNotifiedAt.get(`${toAlertKey(flap)} ${channelId}`) ?? '') >= flap.startedAt;
}

/** Locks the pending message about the firing of an alert. Returns undefined if there is no such message. */
async function claimFiringMessage(manager: EntityManager, { alertId, channelId }: AlertNotification) {
  const firing = await manager.findOneBy(AlertNotification, { alertId, channelId, event: 'firing' });
  if (!firing?.messageId) return undefined;
  const where = { _id: firing.messageId, state: 'pending' as const };
  return (await claimBatch(manager, AlertMessage, { where }))[0];
}

/** Whether a channel should get an event. @param previous the channel's notifications of the same alert */
function shouldNotify(
  alert: Alert,
  event: AlertEvent,
  previous: readonly AlertNotification[],
  suppressions: Suppressions,
): boolean {
  // A resolution goes to channels that were notified of the alert. An outage of the database has only a resolution.
  const isRelevant = event !== 'resolved' || previous.length > 0 || alert.kind === 'database';
  const wasEventStored = previous.some((notification) => notification.event === event);
  return isRelevant && !wasEventStored && !(event === 'firing' && suppressions.isInhibited(alert));
}

function findCurrentEvent({ resolvedAt }: Alert, isFlapping: boolean): AlertEvent {
  if (isFlapping) return 'flapping';
  return resolvedAt === null ? 'firing' : 'resolved';
}

/** The last alert of each kind, subject and machine; earlier alerts cause no more notifications. */
function findNewestByKey(alerts: readonly Alert[]): Alert[] {
  const newestAlerts = new Map<string, Alert>();
  for (const alert of alerts) {
    const newestOfKey = newestAlerts.get(toAlertKey(alert));
    if (!newestOfKey || newestOfKey.firedAt < alert.firedAt) newestAlerts.set(toAlertKey(alert), alert);
  }
  return [...newestAlerts.values()];
}
