import type { Logger } from 'pino';
import type { Database } from '../../platform/database/database';
import { getErrorMessage } from '../../platform/errors/error-details';
import { parseLabel, reservedLabels } from '../../platform/net/hostname';
import { isHostClaimed } from '../hosts';
import { findFreeLabel, suggestLocally } from './local-suggester';
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
   * Suggests with the model, or with the local suggester if no model is configured or the model fails. The label is
   * always free (contract §3).
   */
  async suggest(
    description: string,
    existingLabels: readonly string[],
  ): Promise<SuggestedFields & { source: 'ai' | 'local' }> {
    const lowerCaseLabels = new Set(existingLabels.map((name) => name.trim().toLowerCase()));
    const isFree = async (label: string) =>
      !lowerCaseLabels.has(label) && !reservedLabels.has(label) && !(await isHostClaimed(this.database.read, label));
    const modelSuggestion = await this.suggestWithModel(description, existingLabels);
    const label = modelSuggestion && parseLabel(modelSuggestion.subdomain);
    if (label) return { ...modelSuggestion, subdomain: await findFreeLabel(label, isFree), source: 'ai' };
    return { ...(await suggestLocally(description, isFree)), source: 'local' };
  }

  /** Calls the model once. @throws Error with the status of a refusal */
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

  private async suggestWithModel(
    description: string,
    existingLabels: readonly string[],
  ): Promise<SuggestedFields | undefined> {
    try {
      return await this.askModel?.(description, existingLabels);
    } catch (error) {
      this.log.warn({ reason: getErrorMessage(error) }, 'the model gave no suggestion');
      return undefined;
    }
  }
}
