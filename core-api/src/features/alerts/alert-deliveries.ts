import { In } from 'typeorm';
import type { Database } from '../../platform/database/database';
import { DeliveryError, type DeliveryTable } from '../../platform/outbox/outbox-worker';
import { Alert, AlertMessage, AlertNotification, Machine } from './alert.entity';
import { AlertChannel, type ChannelType } from './alert-settings.entity';
import type { MessageAlert } from './alert-text';
import { alertMessages as messages } from './alerts.messages';
import { type ChannelSender, messageOf } from './channel-sender';

/** A message is given up after a day. */
const GIVE_UP_MS = 24 * 60 * 60_000;

/** The current alerts of a message: an alert that ended since is reported as resolved. */
async function alertsOf({ read }: Database, messageId: string): Promise<MessageAlert[]> {
  const notifications = await read.findBy(AlertNotification, { messageId });
  const alerts = await read.findBy(Alert, { _id: In(notifications.map(({ alertId }) => alertId)) });
  const machines = new Map(
    (await read.find(Machine, { select: { _id: true, name: true } })).map(({ _id, name }) => [_id, name]),
  );
  return alerts
    .sort((one, other) => (one.firedAt < other.firedAt ? -1 : 1))
    .map((alert) => {
      const isFlapping = notifications.some(({ alertId, event }) => alertId === alert._id && event === 'flapping');
      const event = isFlapping ? 'flapping' : alert.resolvedAt === null ? 'firing' : 'resolved';
      return { alert, event, machine: machines.get(alert.machineId) };
    });
}

/** Deliveries of alerts through the channels of one type. */
export const alertDeliveries = (
  database: Database,
  sender: ChannelSender,
  channelType: ChannelType,
  timeZone: string,
): DeliveryTable<AlertMessage> => ({
  name: `alerts ${channelType}`,
  entity: AlertMessage,
  scope: { channelType },
  keyOf: ({ _id }) => ({ _id }),
  giveUpAt: ({ createdAt }) => Date.parse(createdAt) + GIVE_UP_MS,
  async send({ _id, channelId }) {
    const channel = await database.read.findOneBy(AlertChannel, { _id: channelId });
    if (!channel?.enabled) throw new DeliveryError(messages.channelGone, { permanent: true });
    const listed = await alertsOf(database, _id);
    // All alerts of the message were removed.
    if (listed.length === 0) return;
    try {
      await sender.send(channel, messageOf(_id, listed, timeZone));
    } catch (error) {
      await noteFailure(database, channel);
      throw error;
    }
    await recordDelivery(database, channel, _id, listed);
  },
});

async function noteFailure(database: Database, { _id, failingSince }: AlertChannel): Promise<void> {
  if (failingSince !== null) return;
  const now = new Date().toISOString();
  await database.concurrentWrite((manager) => manager.update(AlertChannel, { _id }, { failingSince: now }));
}

async function recordDelivery(
  database: Database,
  { _id: channelId, failingSince }: AlertChannel,
  messageId: string,
  listed: readonly MessageAlert[],
): Promise<void> {
  const firing = listed.filter(({ event }) => event === 'firing').map(({ alert }) => alert._id);
  const joinedSince = { messageId, channelId, event: 'resolved' as const, alertId: In(firing) };
  await database.concurrentWrite(async (manager) => {
    if (failingSince !== null) await manager.update(AlertChannel, { _id: channelId }, { failingSince: null });
    // A resolution that was added after the text was created needs a message of its own.
    if (firing.length > 0) await manager.update(AlertNotification, joinedSince, { messageId: null });
  });
}
