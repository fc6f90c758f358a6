import { type ChannelName, type ContactMessage, channelNames } from './contact.entity';

/** Progress of a message that is sent in several pieces. */
interface Progress {
  readonly piecesSent: number;
  /** Stores that the channel confirmed one more piece. */
  advance(): Promise<void>;
}

/** A channel that delivers contact messages to the studio: `telegram-channel.ts`, `email-channel.ts`. */
export interface Channel {
  isConfigured(): Promise<boolean>;
  /** @throws DeliveryError for a definite refusal, any other error for a temporary failure */
  deliver(message: ContactMessage, progress: Progress): Promise<void>;
}

export type Channels = Record<ChannelName, Channel>;

/**
 * Names of the configured channels. A channel whose settings cannot be read counts as configured: the message is stored
 * for it, and the outbox reports the error.
 */
export async function configuredChannels(channels: Channels): Promise<ChannelName[]> {
  const configured = await Promise.all(channelNames.map((name) => channels[name].isConfigured().catch(() => true)));
  return channelNames.filter((_, index) => configured[index]);
}
