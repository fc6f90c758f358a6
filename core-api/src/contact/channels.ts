import { type ChannelName, type ContactMessage, channelNames } from './contact.entity';

/** How far earlier attempts got with a message that goes out in pieces. */
interface Progress {
  readonly piecesSent: number;
  /** Stores that one more piece was confirmed. */
  advance(): Promise<void>;
}

/** A way by which the studio hears of a message: `telegram-channel.ts`, `email-channel.ts`. */
export interface Channel {
  isConfigured(): Promise<boolean>;
  /** @throws DeliveryError, or any other error for a failure that passes */
  deliver(message: ContactMessage, progress: Progress): Promise<void>;
}

export type Channels = Record<ChannelName, Channel>;

/** A delivery that the other side refused and that says itself when to try again. */
export class DeliveryError extends Error {
  /** Trying again cannot help until the settings change. */
  readonly permanent: boolean;
  /** How long the other side asks to wait. */
  readonly retryAfterS?: number;

  constructor(reason: string, { permanent = false, retryAfterS }: { permanent?: boolean; retryAfterS?: number }) {
    super(reason);
    this.permanent = permanent;
    this.retryAfterS = retryAfterS;
  }
}

/** A channel whose settings cannot be read counts as configured: the message is stored for it, and the worker reports why. */
export async function configuredChannels(channels: Channels): Promise<ChannelName[]> {
  const configured = await Promise.all(channelNames.map((name) => channels[name].isConfigured().catch(() => true)));
  return channelNames.filter((_, index) => configured[index]);
}
