import type { Principal } from '../../platform/http/authentication';
import { type Endpoint, endpoint, noContent } from '../../platform/http/endpoint';
import { BOT_TOKEN_MASK, settingsBody, settingsResponse } from './settings.schema';
import type { Settings, SettingsService } from './settings.service';

const tag = 'Configurações';

/** API tokens never read the bot's token. */
const presentTo = ({ token }: Principal, settings: Settings): Settings =>
  token && settings.telegramBotToken ? { ...settings, telegramBotToken: BOT_TOKEN_MASK } : settings;

export const settingsEndpoints = (settings: SettingsService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/settings',
    access: { role: 'administrator', scope: 'settings:read' },
    tag,
    summary: 'Lê as configurações',
    status: 200,
    response: settingsResponse,
    errorStatuses: [],
    noStore: true,
    run: async ({ principal }) => presentTo(principal, await settings.get()),
  }),
  endpoint({
    method: 'put',
    path: '/settings',
    access: { role: 'administrator', scope: 'settings:write' },
    tag,
    summary: 'Altera as configurações',
    body: settingsBody,
    example: { telegramBotToken: '123456:ABC-def', telegramChatId: '-1001234' },
    status: 200,
    response: settingsResponse,
    errorStatuses: [],
    noStore: true,
    ifMatch: true,
    run: async ({ context, principal, body }) => presentTo(principal, await settings.update(context, body)),
  }),
  endpoint({
    method: 'post',
    path: '/settings/test',
    access: { role: 'administrator', scope: 'settings:write' },
    tag,
    summary: 'Envia uma mensagem de teste ao Telegram',
    status: 204,
    response: noContent,
    errorStatuses: [400, 502],
    run: () => settings.sendTestMessage(),
  }),
];
