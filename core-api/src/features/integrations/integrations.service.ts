import { RuleError } from '../../platform/errors/rule-error';
import { integrationMessages as messages } from './integrations.messages';

/** An external service, configured by environment variables. */
interface Integration {
  isConfigured(): Promise<boolean>;
  /** Makes one real request. @throws Error with a message for the user, without secrets */
  test(): Promise<void>;
}

export const integrationNames = ['email', 'ai'] as const;
export type IntegrationName = (typeof integrationNames)[number];

export class IntegrationsService {
  constructor(private readonly integrations: Record<IntegrationName, Integration>) {}

  async getConfigured(): Promise<Record<IntegrationName, boolean>> {
    const { email, ai } = this.integrations;
    return { email: await email.isConfigured(), ai: await ai.isConfigured() };
  }

  /** Calls the service. @throws RuleError invalid without configuration; upstream with the service's reason */
  async test(name: IntegrationName): Promise<void> {
    const integration = this.integrations[name];
    if (!(await integration.isConfigured())) throw new RuleError('invalid', messages[name].notConfigured);
    await integration.test().catch((error: unknown) => {
      throw new RuleError('upstream', messages[name].failed, {
        details: error instanceof Error ? error.message : undefined,
      });
    });
  }
}
