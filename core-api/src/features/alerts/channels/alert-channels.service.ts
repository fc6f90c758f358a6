import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { applyChanges, editRow } from '../../../platform/database/changes/apply-changes';
import type { ChangeContext, Database } from '../../../platform/database/database';
import { requireRow } from '../../../platform/database/queries/require-row';
import { mapUniqueViolation } from '../../../platform/database/queries/unique-violation';
import { getErrorMessage } from '../../../platform/errors/error-details';
import { createFieldError, RuleError } from '../../../platform/errors/rule-error';
import { toAuthority } from '../../../platform/net/authority';
import { findHostRefusal } from '../../../platform/net/guarded-lookup';
import { decryptStored, encrypt } from '../../../platform/secrets/encryption';
import { toIsoFromNow } from '../../../platform/time/relative-time';
import { AlertChannel } from '../alert-settings.entity';
import { alertMessages as messages } from '../alerts.messages';
import type { ChannelBody, ChannelChanges, ChannelResponse, ChannelWithSecret } from '../alerts.schema';
import { type ChannelSender, createTestMessage } from './channel-sender';
import { createWebhookSecret } from './webhook';

const mapNameConflict = (name = '') =>
  mapUniqueViolation({ 'alert_channels(name)': ['name', messages.channelTaken(name)] });

export class AlertChannelsService {
  constructor(
    private readonly database: Database,
    private readonly sender: ChannelSender,
    /** Key that encrypts URLs and secrets of webhooks. */
    private readonly key: Buffer,
    private readonly ownPorts: readonly number[],
  ) {}

  async list(): Promise<ChannelResponse[]> {
    const rows = await this.database.read.find(AlertChannel, { order: { name: 'ASC' } });
    return rows.map((row) => this.toResponse(row));
  }

  /** Creates a channel. For a webhook, the response contains its signing secret. @throws RuleError invalid, conflict */
  async create(context: ChangeContext, body: ChannelBody): Promise<ChannelWithSecret> {
    const { name, type, enabled = true, minSeverity = 'info' } = body;
    const secret = type === 'webhook' ? createWebhookSecret() : undefined;
    if (body.url) await this.checkUrl(body.url);
    const row: AlertChannel = {
      _id: uuid(),
      name,
      type,
      enabled,
      minSeverity,
      ...toTypeColumns({ ...body, url: body.url && encrypt(body.url, this.key) }),
      secret: secret ? encrypt(secret, this.key) : null,
      previousSecret: null,
      previousSecretUntil: null,
      failingSince: null,
      createdAt: new Date().toISOString(),
      version: 1,
    };
    await this.database
      .serializedWrite(context, (manager) => manager.insert(AlertChannel, row))
      .catch(mapNameConflict(name));
    return { ...this.toResponse(row), ...(secret && { secret }) };
  }

  /** Changes the fields that are present. @throws RuleError invalid, notFound, conflict, stale */
  async update(context: ChangeContext, id: string, { url, ...changes }: ChannelChanges): Promise<ChannelResponse> {
    if (url) await this.checkUrl(url);
    const encryptedFields = url && { url: encrypt(url, this.key) };
    const row = await this.database
      .serializedWrite(context, async (manager) => {
        const storedChannel = await requireChannel(manager, id);
        const changedChannel = applyChanges(storedChannel, { ...changes, ...encryptedFields });
        const editedRow = editRow(storedChannel, { ...changedChannel, ...toTypeColumns(changedChannel) }, context);
        await manager.update(AlertChannel, { _id: id }, editedRow);
        return editedRow;
      })
      .catch(mapNameConflict(changes.name));
    return this.toResponse(row);
  }

  async remove(context: ChangeContext, id: string): Promise<void> {
    await this.database.serializedWrite(context, async (manager) => {
      await requireChannel(manager, id);
      await manager.delete(AlertChannel, { _id: id });
    });
  }

  /** Sends a test message without the outbox. @throws RuleError upstream with the receiver's own reason */
  async test(id: string): Promise<void> {
    const channel = await requireChannel(this.database.read, id);
    try {
      await this.sender.send(channel, createTestMessage(uuid()));
    } catch (error) {
      throw new RuleError('upstream', messages.testFailed, { details: getErrorMessage(error) });
    }
  }

  /**
   * Creates a new signing secret. Until `graceSeconds` have passed, the old secret signs messages, too.
   * @throws RuleError notFound, conflict
   */
  async rotateSecret(context: ChangeContext, id: string, graceSeconds: number): Promise<ChannelWithSecret> {
    const secret = createWebhookSecret();
    const row = await this.database.serializedWrite(context, async (manager) => {
      const storedChannel = await requireChannel(manager, id);
      if (storedChannel.type !== 'webhook') throw new RuleError('conflict', messages.noSecret);
      const previousSecretUntil = graceSeconds > 0 ? toIsoFromNow(graceSeconds * 1000) : null;
      const changes = {
        secret: encrypt(secret, this.key),
        previousSecret: previousSecretUntil && storedChannel.secret,
        previousSecretUntil,
      };
      const editedRow = editRow(storedChannel, changes, context);
      await manager.update(AlertChannel, { _id: id }, editedRow);
      return editedRow;
    });
    return { ...this.toResponse(row), secret };
  }

  /** Refuses a URL with credentials, of this installation, or of a metadata IP address. @throws RuleError invalid */
  private async checkUrl(text: string): Promise<void> {
    const url = new URL(text);
    if (url.username || url.password) throw createFieldError('invalid', 'url', messages.url);
    const { host, port } = toAuthority(url);
    if (await findHostRefusal(host, port, this.ownPorts))
      throw createFieldError('invalid', 'url', messages.urlForbidden);
  }

  private toResponse({ url, secret: _secret, previousSecret: _previous, ...row }: AlertChannel): ChannelResponse {
    return { ...row, url: decryptStored(url, this.key) || null };
  }
}

const requireChannel = (manager: EntityManager, id: string): Promise<AlertChannel> =>
  requireRow(manager, AlertChannel, { _id: id }, messages.channelNotFound);

/** Returns the fields of the channel's type; the fields of other types are empty. @param url encrypted */
function toTypeColumns({ type, chatId, to, url, format }: Omit<ChannelBody, 'name'>) {
  return {
    chatId: type === 'telegram' ? (chatId ?? null) : null,
    to: type === 'email' ? (to ?? null) : null,
    url: type === 'webhook' ? (url ?? null) : null,
    format: type === 'webhook' ? (format ?? 'standard') : null,
  };
}
