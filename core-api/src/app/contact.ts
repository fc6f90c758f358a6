import { channelNames } from '../features/contact/contact.entity';
import { contactEndpoints } from '../features/contact/contact.routes';
import { ContactService } from '../features/contact/contact.service';
import {
  createContactDeliveries,
  createEmailChannel,
  createTelegramChannel,
  listConfiguredChannels,
} from '../features/contact/contact-channels';
import type { SettingsService } from '../features/settings';
import { Outbox } from '../platform/outbox/outbox';
import { OutboxWorker } from '../platform/outbox/outbox-worker';
import type { Telegram } from '../platform/telegram/telegram';
import type { AppContext } from './app-context';

/** Composes the contact form and the delivery of its messages by e-mail and Telegram. */
export function createContact({ config, database, log }: AppContext, telegram: Telegram, settings: SettingsService) {
  const email = createEmailChannel(config);
  const channels = { telegram: createTelegramChannel(telegram, () => settings.findTelegramChat()), email };
  const outbox = new Outbox(
    channelNames.map((name) => new OutboxWorker(database, createContactDeliveries(database, channels, name), log)),
  );
  const contact = new ContactService(database, () => listConfiguredChannels(channels), outbox.wake);
  return { contact, email, outbox, endpoints: contactEndpoints(contact) };
}
