import { RuleError } from '../errors';
import { integrationMessages as messages } from './integrations.messages';

/** An external service that is configured by environment variables. */
interface Integration {
  isConfigured(): Promise<boolean>;
  /** Makes one real request. @throws Error whose message is a sentence without secrets */
  test(): Promise<void>;
}

export const integrationNames = ['email', 'ai'] as const;
export type IntegrationName = (typeof integrationNames)[number];

/** Which integrations are configured, and whether they work. */
export class IntegrationsService {
  constructor(private readonly integrations: Record<IntegrationName, Integration>) {}

  async configured(): Promise<Record<IntegrationName, boolean>> {
    const { email, ai } = this.integrations;
    return { email: await email.isConfigured(), ai: await ai.isConfigured() };
  }

  /** @throws RuleError invalid for one that is not configured, upstream with the service's own reason */
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
