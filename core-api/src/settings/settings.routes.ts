import { type Endpoint, endpoint, noContent } from '../http/endpoint';
import { settingsAnswer, settingsBody } from './settings.schema';
import type { SettingsService } from './settings.service';

const tag = 'Configurações';

export const settingsEndpoints = (settings: SettingsService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/settings',
    tag,
    summary: 'Lê as configurações',
    status: 200,
    answer: settingsAnswer,
    errors: [],
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
    answer: settingsAnswer,
    errors: [],
    noStore: true,
    run: ({ body }) => settings.update(body),
  }),
  endpoint({
    method: 'post',
    path: '/settings/test',
    tag,
    summary: 'Envia uma mensagem de teste ao Telegram',
    status: 204,
    answer: noContent,
    errors: [400, 502],
    run: () => settings.sendTestMessage(),
  }),
];
