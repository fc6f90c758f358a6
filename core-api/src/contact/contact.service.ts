import { MoreThan } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { Database } from '../database/source';
import { RuleError } from '../http/errors';
import { type Channel, ContactDelivery, ContactMessage } from './contact.entity';
import { contactMessages as messages } from './contact.messages';
import type { ContactBody } from './contact.schema';

const LIMIT = 10;
const WINDOW = 10 * 60 * 1000;
const LONGEST_ADDRESS = 45;

export class ContactService {
  constructor(
    private readonly database: Database,
    /** The channels that are configured now. */
    private readonly configuredChannels: () => Promise<Channel[]>,
    /** Told when there is something new to deliver. */
    private readonly onStored: () => void,
  ) {}

  /**
   * Stores the message and what is to be delivered of it at once. A program that fell into the honeypot gets the same
   * answer; its message is kept as spam and delivered nowhere.
   * @throws RuleError tooMany after 10 stored messages of one address in 10 minutes (contract §3)
   */
  async store({ website, contactInfo, ...body }: ContactBody, from: string): Promise<{ _id: string }> {
    const address = from.slice(0, LONGEST_ADDRESS);
    const spam = Boolean(website);
    const channels = spam ? [] : await this.configuredChannels();
    const now = new Date();
    const createdAt = now.toISOString();
    const _id = uuid();
    await this.database.write(async (manager) => {
      // One message of an address at a time, so that the limit holds; on SQLite every write already waits its turn.
      if (manager.connection.options.type === 'postgres')
        await manager.query('SELECT pg_advisory_xact_lock(hashtext($1))', [address]);
      const since = new Date(now.getTime() - WINDOW).toISOString();
      const recent = await manager.find(ContactMessage, {
        select: { createdAt: true },
        where: { address, createdAt: MoreThan(since) },
        order: { createdAt: 'DESC' },
        take: LIMIT,
      });
      const oldest = recent[LIMIT - 1];
      if (oldest) {
        const retryAfter = Math.ceil((Date.parse(oldest.createdAt) + WINDOW - now.getTime()) / 1000);
        throw new RuleError('tooMany', messages.tooMany, { retryAfter: Math.max(1, retryAfter) });
      }
      await manager.insert(ContactMessage, {
        _id,
        ...body,
        contactInfo: contactInfo ?? null,
        spam,
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

  async list({ page, limit }: { page: number; limit: number }) {
    const [found, total] = await this.database.read.findAndCount(ContactMessage, {
      where: { spam: false },
      relations: { deliveries: true },
      order: { createdAt: 'DESC', _id: 'DESC' },
      skip: (page - 1) * limit,
      take: limit,
    });
    return { messages: found, total };
  }
}
