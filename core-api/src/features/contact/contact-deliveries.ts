import type { Database } from '../../platform/database/database';
import { DeliveryError, type DeliveryTable } from '../../platform/outbox/outbox-worker';
import type { Channels } from './channels';
import { type ChannelName, ContactDelivery, ContactMessage } from './contact.entity';
import { contactMessages as messages } from './contact.messages';

/** A delivery to a channel without settings is retried after an hour. */
const NOT_CONFIGURED_RETRY_S = 3600;

/** Deliveries of contact messages through one channel. */
export const contactDeliveries = (
  database: Database,
  channels: Channels,
  name: ChannelName,
): DeliveryTable<ContactDelivery> => ({
  name: `contact ${name}`,
  entity: ContactDelivery,
  scope: { channel: name },
  keyOf: ({ messageId, channel }) => ({ messageId, channel }),
  async send({ messageId, piecesSent }, save) {
    const channel = channels[name];
    const message = await database.read.findOneByOrFail(ContactMessage, { _id: messageId });
    if (!(await channel.isConfigured()))
      throw new DeliveryError(messages.notConfigured, { retryAfterS: NOT_CONFIGURED_RETRY_S });
    let sent = piecesSent;
    const advance = () => {
      sent += 1;
      return save({ piecesSent: sent });
    };
    await channel.deliver(message, { piecesSent, advance });
  },
});
