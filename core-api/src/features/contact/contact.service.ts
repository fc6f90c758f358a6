import { type EntityManager, type FindOptionsWhere, LessThan, Like, MoreThan, Not } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { ChangeContext, Database } from '../../platform/database/database';
import { lockByName } from '../../platform/database/queries/dialect';
import { insertAll } from '../../platform/database/queries/insert-all';
import { requireRow } from '../../platform/database/queries/require-row';
import { RuleError } from '../../platform/errors/rule-error';
import { toCustomerNetwork, toLimitKey } from '../../platform/net/network';
import { MINUTE_MS } from '../../platform/time/relative-time';
import { type ChannelName, ContactDelivery, ContactMessage } from './contact.entity';
import { contactMessages as messages } from './contact.messages';
import type { ContactBody, ContactChanges, ContactQuery } from './contact.schema';

/** A limit on the messages that are stored within a window (contract §3). */
interface Limit {
  where: FindOptionsWhere<ContactMessage>;
  max: number;
  windowMs: number;
}

/** Limits per address, per /48 of an IPv6 address (a prefix of the stored /64), and for all addresses. */
function createLimits(clientAddress: string): Limit[] {
  const customerNetwork = toCustomerNetwork(clientAddress);
  return [
    { where: { address: toLimitKey(clientAddress) }, max: 10, windowMs: 10 * MINUTE_MS },
    ...(customerNetwork
      ? [{ where: { address: Like(`${customerNetwork.replace('::/48', '')}:%`) }, max: 30, windowMs: 10 * MINUTE_MS }]
      : []),
    { where: {}, max: 300, windowMs: 60 * MINUTE_MS },
  ];
}

/** Refuses a message if the window already has `max` stored messages. @throws RuleError tooMany */
async function refuseAtLimit(manager: EntityManager, { where, max, windowMs }: Limit, now: Date): Promise<void> {
  const since = new Date(now.getTime() - windowMs).toISOString();
  const [oldestCounted] = await manager.find(ContactMessage, {
    select: { _id: true, createdAt: true },
    where: { ...where, createdAt: MoreThan(since) },
    order: { createdAt: 'DESC' },
    skip: max - 1,
    take: 1,
  });
  if (!oldestCounted) return;
  const retryAfterS = Math.ceil((Date.parse(oldestCounted.createdAt) + windowMs - now.getTime()) / 1000);
  throw new RuleError('tooMany', messages.tooMany, { retryAfterS: Math.max(1, retryAfterS) });
}

export class ContactService {
  constructor(
    private readonly database: Database,
    private readonly listConfiguredChannels: () => Promise<ChannelName[]>,
    /** Called after a message and its deliveries were stored. */
    private readonly onStored: () => void,
  ) {}

  /**
   * Stores the message, and one delivery for each configured channel, in one transaction. A message that fills the
   * honeypot gets the same response, but is stored as spam without deliveries.
   * @throws RuleError tooMany (contract §3)
   */
  async store({ website, contactInfo, ...body }: ContactBody, clientAddress: string): Promise<{ _id: string }> {
    const address = toLimitKey(clientAddress);
    const spam = Boolean(website);
    const channels = spam ? [] : await this.listConfiguredChannels();
    const now = new Date();
    const createdAt = now.toISOString();
    const _id = uuid();
    await this.database.concurrentWrite(async (manager) => {
      // The lock serializes the messages, so that simultaneous messages cannot exceed the limits.
      await lockByName(manager, 'contact');
      for (const limit of createLimits(clientAddress)) await refuseAtLimit(manager, limit, now);
      await manager.insert(ContactMessage, {
        _id,
        ...body,
        contactInfo: contactInfo ?? null,
        spam,
        handled: false,
        answeredAt: null,
        address,
        createdAt,
      });
      const initialFields = { messageId: _id, state: 'pending' as const, attempts: 0, nextAttemptAt: createdAt };
      const deliveries = channels.map((channel) => ({ ...initialFields, channel, deliveredAt: null, lastError: null }));
      await insertAll(manager, ContactDelivery, deliveries);
    });
    this.onStored();
    return { _id };
  }

  /** Lists messages, newest first. `before` is the end of the previous page, so new messages shift no page. */
  async list({ page, limit, before }: ContactQuery) {
    const { read } = this.database;
    const olderMessages = before && [
      { spam: false, createdAt: LessThan(before.createdAt) },
      { spam: false, createdAt: before.createdAt, _id: LessThan(before._id) },
    ];
    const rows = await read.find(ContactMessage, {
      where: olderMessages ?? { spam: false },
      relations: { deliveries: true },
      order: { createdAt: 'DESC', _id: 'DESC' },
      skip: (page - 1) * limit,
      take: limit + 1,
    });
    const pageRows = rows.slice(0, limit);
    const lastRow = rows.length > limit && pageRows.at(-1);
    return {
      messages: pageRows,
      total: await read.countBy(ContactMessage, { spam: false }),
      unread: await this.countUnread(),
      next: lastRow ? `${lastRow.createdAt}~${lastRow._id}` : null,
    };
  }

  countUnread(): Promise<number> {
    return this.database.read.countBy(ContactMessage, { spam: false, handled: false });
  }

  /** Marks a message as handled or answered, or removes the mark. @throws RuleError notFound */
  async mark(context: ChangeContext, id: string, { handled, answered }: ContactChanges): Promise<ContactMessage> {
    return this.database.serializedWrite(context, async (manager) => {
      const storedMessage = await requireMessage(manager, id);
      const changes = { handled: handled ?? (answered || storedMessage.handled), answeredAt: storedMessage.answeredAt };
      if (answered === true) changes.answeredAt = new Date().toISOString();
      if (answered === false) changes.answeredAt = null;
      await manager.update(ContactMessage, { _id: id }, changes);
      return { ...storedMessage, ...changes };
    });
  }

  /** Removes a message with its pending deliveries. @throws RuleError notFound */
  async remove(context: ChangeContext, id: string): Promise<void> {
    await this.database.serializedWrite(context, async (manager) => {
      await requireMessage(manager, id);
      await manager.delete(ContactMessage, { _id: id });
    });
  }
}

const requireMessage = (manager: EntityManager, id: string): Promise<ContactMessage> =>
  requireRow(manager, ContactMessage, { _id: id, spam: false }, messages.notFound, { deliveries: true });

/** Makes every undelivered message of a channel due. Call it in the transaction that changes the settings. */
export async function retryUndelivered(manager: EntityManager, channel: ChannelName): Promise<void> {
  await manager.update(
    ContactDelivery,
    { channel, state: Not('sent') },
    { state: 'pending', attempts: 0, piecesSent: 0, nextAttemptAt: new Date().toISOString() },
  );
}
