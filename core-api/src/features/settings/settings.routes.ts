import type { Principal } from '../../platform/http/access/authentication';
import { endpoint, withTag } from '../../platform/http/endpoint';
import type { Settings } from './settings.schema';
import * as schemas from './settings.schema';
import type { SettingsService } from './settings.service';

/** A request with an API token never gets the bot's token. */
const maskForTokens = ({ token }: Principal, settings: Settings): Settings =>
  token && settings.telegramBotToken ? { ...settings, telegramBotToken: schemas.BOT_TOKEN_MASK } : settings;

export const settingsEndpoints = (settings: SettingsService) =>
  withTag('Configurações', [
    endpoint('GET /settings', {
      access: { role: 'administrator', scope: 'settings:read' },
      summary: 'Lê as configurações',
      response: schemas.settingsResponse,
      noStore: true,
      run: async ({ principal }) => maskForTokens(principal, await settings.get()),
    }),
    endpoint('PUT /settings', {
      access: { role: 'administrator', scope: 'settings:write' },
      summary: 'Altera as configurações',
      body: schemas.settingsBody,
      example: { telegramBotToken: '123456:ABC-def', telegramChatId: '-1001234' },
      response: schemas.settingsResponse,
      noStore: true,
      ifMatch: true,
      run: async ({ context, principal, body }) => maskForTokens(principal, await settings.update(context, body)),
    }),
    endpoint('POST /settings/test', {
      access: { role: 'administrator', scope: 'settings:write' },
      summary: 'Envia uma mensagem de teste ao Telegram',
      errorStatuses: [400, 502],
      run: () => settings.sendTestMessage(),
    }),
  ]);
