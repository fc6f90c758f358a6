import type { Logger } from 'pino';
import type { Database } from '../../platform/database/database';
import { parseLabel, reservedLabels } from '../../platform/net/hostname';
import { isHostClaimed } from '../hosts';
import { firstFree, suggestLocally } from './local-suggester';
import type { AskModel } from './model';
import { suggestionMessages as messages } from './suggestions.messages';
import type { SuggestedFields } from './suggestions.schema';

export class SuggestionsService {
  constructor(
    private readonly database: Database,
    private readonly askModel: AskModel | undefined,
    private readonly log: Logger,
  ) {}

  async isConfigured(): Promise<boolean> {
    return this.askModel !== undefined;
  }

  /**
   * Suggests by the model, or by the local suggester if there is no model or it fails. The suggested name is always
   * free (contract §3).
   */
  async suggest(
    description: string,
    existing: readonly string[],
  ): Promise<SuggestedFields & { source: 'ai' | 'local' }> {
    const known = new Set(existing.map((name) => name.trim().toLowerCase()));
    const isFree = async (label: string) =>
      !known.has(label) && !reservedLabels.has(label) && !(await isHostClaimed(this.database.read, label));
    const fromModel = await this.ask(description, existing);
    const label = fromModel && parseLabel(fromModel.subdomain);
    if (label) return { ...fromModel, subdomain: await firstFree(label, isFree), source: 'ai' };
    return { ...(await suggestLocally(description, isFree)), source: 'local' };
  }

  /** Asks the model once. @throws Error with the status of a refusal */
  async test(): Promise<void> {
    try {
      await this.askModel?.(messages.testDescription, []);
    } catch (error) {
      const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
      throw new Error(typeof status === 'number' ? messages.modelRefused(status) : messages.modelSilent, {
        cause: error,
      });
    }
  }

  private async ask(description: string, existing: readonly string[]): Promise<SuggestedFields | undefined> {
    try {
      return await this.askModel?.(description, existing);
    } catch (error) {
      this.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'the model gave no suggestion');
      return undefined;
    }
  }
}
