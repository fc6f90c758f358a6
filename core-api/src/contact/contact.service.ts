import { type EntityManager, LessThan, MoreThan, Not } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { ChangeContext, Database } from '../database/source';
import { RuleError } from '../errors';
import { networkOf } from '../rules/network';
import { type ChannelName, ContactDelivery, ContactMessage } from './contact.entity';
import { contactMessages as messages } from './contact.messages';
import type { ContactBody, ContactQuery } from './contact.schema';

/** Stored messages of one address per window (contract §3). */
const MAX_MESSAGES = 10;
const WINDOW_MS = 10 * 60 * 1000;

export class ContactService {
  constructor(
    private readonly database: Database,
    /** The channels that are configured now. */
    private readonly configuredChannels: () => Promise<ChannelName[]>,
    /** Called when there is something new to deliver. */
    private readonly onStored: () => void,
  ) {}

  /**
   * Stores the message and one delivery per configured channel in one transaction. A message that fills the honeypot
   * gets the same response; it is stored as spam and delivered nowhere.
   * @throws RuleError tooMany after 10 stored messages of one address in 10 minutes (contract §3)
   */
  async store({ website, contactInfo, ...body }: ContactBody, from: string): Promise<{ _id: string }> {
    const address = networkOf(from);
    const spam = Boolean(website);
    const channels = spam ? [] : await this.configuredChannels();
    const now = new Date();
    const createdAt = now.toISOString();
    const _id = uuid();
    await this.database.append(async (manager) => {
      // Serializes the messages of one address, so that the limit holds; SQLite has one writer anyway.
      if (manager.connection.options.type === 'postgres')
        await manager.query('SELECT pg_advisory_xact_lock(hashtext($1))', [address]);
      const since = new Date(now.getTime() - WINDOW_MS).toISOString();
      const recent = await manager.find(ContactMessage, {
        select: { createdAt: true },
        where: { address, createdAt: MoreThan(since) },
        order: { createdAt: 'DESC' },
        take: MAX_MESSAGES,
      });
      const oldest = recent[MAX_MESSAGES - 1];
      if (oldest) {
        const retryAfterS = Math.ceil((Date.parse(oldest.createdAt) + WINDOW_MS - now.getTime()) / 1000);
        throw new RuleError('tooMany', messages.tooMany, { retryAfterS: Math.max(1, retryAfterS) });
      }
      await manager.insert(ContactMessage, {
        _id,
        ...body,
        contactInfo: contactInfo ?? null,
        spam,
        handled: false,
        address,
        createdAt,
      });
      for (const channel of channels) {
        await manager.insert(ContactDelivery, {
          messageId: _id,
          channel,
          state: 'pending',
          attempts: 0,
          piecesSent: 0,
          nextAttemptAt: createdAt,
          deliveredAt: null,
          lastError: null,
        });
      }
    });
    this.onStored();
    return { _id };
  }

  /** Newest first. With `before` the page follows that message, so that none that arrives in between is met twice. */
  async list({ page, limit, before }: ContactQuery) {
    const { read } = this.database;
    const older = before && [
      { spam: false, createdAt: LessThan(before.createdAt) },
      { spam: false, createdAt: before.createdAt, _id: LessThan(before._id) },
    ];
    const found = await read.find(ContactMessage, {
      where: older ?? { spam: false },
      relations: { deliveries: true },
      order: { createdAt: 'DESC', _id: 'DESC' },
      skip: (page - 1) * limit,
      take: limit + 1,
    });
    const listed = found.slice(0, limit);
    const last = found.length > limit && listed.at(-1);
    return {
      messages: listed,
      total: await read.countBy(ContactMessage, { spam: false }),
      unread: await this.countUnread(),
      next: last ? `${last.createdAt}~${last._id}` : null,
    };
  }

  /** Messages that nobody has dealt with. */
  countUnread(): Promise<number> {
    return this.database.read.countBy(ContactMessage, { spam: false, handled: false });
  }

  /** Marks a message as dealt with, or not. @throws RuleError notFound */
  async setHandled(context: ChangeContext, id: string, handled: boolean): Promise<ContactMessage> {
    return this.database.change(context, async (manager) => {
      const found = await findMessage(manager, id);
      await manager.update(ContactMessage, { _id: id }, { handled });
      return { ...found, handled };
    });
  }

  /** With what is still to be delivered of it. @throws RuleError notFound */
  async remove(context: ChangeContext, id: string): Promise<void> {
    await this.database.change(context, async (manager) => {
      await findMessage(manager, id);
      await manager.delete(ContactMessage, { _id: id });
    });
  }
}

async function findMessage(manager: EntityManager, id: string): Promise<ContactMessage> {
  const found = await manager.findOne(ContactMessage, {
    where: { _id: id, spam: false },
    relations: { deliveries: true },
  });
  if (!found) throw new RuleError('notFound', messages.notFound);
  return found;
}

/** Makes every undelivered message of a channel due now: for a change of the channel's settings, in its transaction. */
export async function retryUndelivered(manager: EntityManager, channel: ChannelName): Promise<void> {
  await manager.update(
    ContactDelivery,
    { channel, state: Not('sent') },
    { state: 'pending', attempts: 0, piecesSent: 0, nextAttemptAt: new Date().toISOString() },
  );
}
