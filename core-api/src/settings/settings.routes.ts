import { type Endpoint, endpoint, noContent } from '../http/endpoint';
import { settingsBody, settingsResponse } from './settings.schema';
import type { SettingsService } from './settings.service';

const tag = 'Configurações';

export const settingsEndpoints = (settings: SettingsService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/settings',
    tag,
    summary: 'Lê as configurações',
    status: 200,
    response: settingsResponse,
    errorStatuses: [],
    noStore: true,
    run: () => settings.get(),
  }),
  endpoint({
    method: 'put',
    path: '/settings',
    tag,
    summary: 'Altera as configurações',
    body: settingsBody,
    example: { telegramBotToken: '123456:ABC-def', telegramChatId: '-1001234' },
    status: 200,
    response: settingsResponse,
    errorStatuses: [],
    noStore: true,
    ifMatch: true,
    run: ({ context, body }) => settings.update(context, body),
  }),
  endpoint({
    method: 'post',
    path: '/settings/test',
    tag,
    summary: 'Envia uma mensagem de teste ao Telegram',
    status: 204,
    response: noContent,
    errorStatuses: [400, 502],
    run: () => settings.sendTestMessage(),
  }),
];
