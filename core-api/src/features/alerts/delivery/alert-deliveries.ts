import { In } from 'typeorm';
import type { Database } from '../../../platform/database/database';
import { DeliveryError, type DeliveryTable } from '../../../platform/outbox/outbox-worker';
import { DAY_MS } from '../../../platform/time/relative-time';
import { Alert, AlertMessage, AlertNotification, Machine } from '../alert.entity';
import { AlertChannel, type ChannelType } from '../alert-settings.entity';
import { alertMessages as messages } from '../alerts.messages';
import { type ChannelSender, toOutgoingMessage } from '../channels/channel-sender';
import type { MessageAlert } from './alert-text';

const GIVE_UP_MS = DAY_MS;
/** A message shows one event of each alert: the first of these events that the alert has, or else `firing`. */
const laterEvents = ['flapping', 'resolved'] as const;

/** The alerts of a message, each with the event that the message shows. */
async function findMessageAlerts({ read }: Database, messageId: string): Promise<MessageAlert[]> {
  const notifications = await read.findBy(AlertNotification, { messageId });
  const alerts = await read.findBy(Alert, { _id: In(notifications.map(({ alertId }) => alertId)) });
  const machines = await read.find(Machine, { select: { _id: true, name: true } });
  const machineNames = new Map(machines.map(({ _id, name }) => [_id, name]));
  return alerts
    .sort((a, b) => (a.firedAt < b.firedAt ? -1 : 1))
    .map((alert) => {
      const events = notifications.filter(({ alertId }) => alertId === alert._id).map(({ event }) => event);
      const event = laterEvents.find((laterEvent) => events.includes(laterEvent)) ?? 'firing';
      return { alert, event, machine: machineNames.get(alert.machineId) };
    });
}

export const createAlertDeliveries = (
  database: Database,
  sender: ChannelSender,
  channelType: ChannelType,
  timeZone: string,
): DeliveryTable<AlertMessage> => ({
  name: `alerts ${channelType}`,
  entity: AlertMessage,
  scope: { channelType },
  toPrimaryKey: ({ _id }) => ({ _id }),
  getGiveUpTime: ({ createdAt }) => Date.parse(createdAt) + GIVE_UP_MS,
  async send({ _id, channelId, lastError }, save) {
    // A null `lastError` marks a running attempt. `NotificationPlanner` changes no message that may have arrived.
    if (lastError !== null) await save({ lastError: null });
    const channel = await database.read.findOneBy(AlertChannel, { _id: channelId });
    if (!channel?.enabled) throw new DeliveryError(messages.channelGone, { permanent: true });
    const alerts = await findMessageAlerts(database, _id);
    // The message is not sent if all of its alerts were removed.
    if (alerts.length === 0) return;
    try {
      await sender.send(channel, toOutgoingMessage(_id, alerts, timeZone));
    } catch (error) {
      if (channel.failingSince === null) await setFailingSince(database, channel, new Date().toISOString());
      throw error;
    }
    if (channel.failingSince !== null) await setFailingSince(database, channel, null);
  },
});

const setFailingSince = (database: Database, { _id }: AlertChannel, failingSince: string | null) =>
  database.concurrentWrite((manager) => manager.update(AlertChannel, { _id }, { failingSince }));
