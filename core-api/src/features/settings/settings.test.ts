import { readdirSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { Core, listen } from '../../testing/core';

const TOKEN = '123456:ABC-def_ghi';
let telegramHandler: RequestListener;
let telegramCalls: { url: string; body: string }[] = [];
let telegram: Awaited<ReturnType<typeof listen>>;
let core: Core;

beforeAll(async () => {
  telegram = await listen((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      telegramCalls.push({ url: request.url ?? '', body });
      telegramHandler(request, response);
    });
  });
  core = await new Core({ TELEGRAM_API_URL: telegram.url }).start();
});
beforeEach(() => {
  telegramCalls = [];
});
afterAll(async () => {
  await core.stop();
  await telegram.stop();
});

const saveSettings = (body: object) => core.request('PUT', '/settings', { body });

test('a save of the settings keeps absent fields and clears empty fields', async () => {
  const { version } = (await saveSettings({ telegramBotToken: '', telegramChatId: '' })).body;
  const { status, body, headers } = await core.request('GET', '/settings');
  expect([status, body, headers.get('cache-control')]).toEqual([
    200,
    { telegramBotToken: '', telegramChatId: '', version },
    'no-store',
  ]);
  expect((await saveSettings({ telegramBotToken: TOKEN, telegramChatId: '-100' })).body).toEqual({
    telegramBotToken: TOKEN,
    telegramChatId: '-100',
    version: version + 1,
  });
  expect((await saveSettings({ telegramChatId: '@canal' })).body).toEqual({
    telegramBotToken: TOKEN,
    telegramChatId: '@canal',
    version: version + 2,
  });
  expect((await saveSettings({ telegramBotToken: '' })).body).toMatchObject({
    telegramBotToken: '',
    telegramChatId: '@canal',
  });
});

test.each([
  { telegramBotToken: 'sem forma' },
  { telegramChatId: 'a b' },
  { telegramBotToken: 7 },
  { telegramChatId: ['1'] },
])('a save of the settings %j is refused', async (body) => {
  const response = await saveSettings(body);
  expect([response.status, Object.keys(response.body.fields)]).toEqual([400, Object.keys(body)]);
});

test('the bot token is encrypted on disk and survives a restart', async () => {
  await saveSettings({ telegramBotToken: TOKEN, telegramChatId: '42' });
  for (const entry of readdirSync(core.folder, { recursive: true, withFileTypes: true }).filter((candidate) =>
    candidate.isFile(),
  )) {
    expect(readFileSync(join(entry.parentPath, entry.name), 'latin1')).not.toContain(TOKEN);
  }
  await core.end('SIGKILL');
  await core.start();
  expect((await core.request('GET', '/settings')).body.telegramBotToken).toBe(TOKEN);
});

describe('a test message', () => {
  beforeEach(() => saveSettings({ telegramBotToken: TOKEN, telegramChatId: '42' }));

  test('is sent as plain text', async () => {
    telegramHandler = (_request, response) => void response.end('{"ok":true,"result":{}}');
    expect((await core.request('POST', '/settings/test')).status).toBe(204);
    expect(telegramCalls).toHaveLength(1);
    expect(telegramCalls[0]?.url).toBe(`/bot${TOKEN}/sendMessage`);
    expect(JSON.parse(telegramCalls[0]?.body ?? '')).toEqual({
      chat_id: '42',
      text: expect.any(String),
      link_preview_options: { is_disabled: true },
    });
  });

  test("fails with Telegram's reason if Telegram refuses the message, and the bot token is not logged", async () => {
    telegramHandler = (_request, response) =>
      void response.writeHead(401).end('{"ok":false,"description":"Unauthorized"}');
    const refusal = await core.request('POST', '/settings/test');
    expect([refusal.status, refusal.body.details]).toEqual([502, 'Unauthorized']);
    expect(core.output).not.toContain(TOKEN);
  });

  test('needs a bot token and a chat', async () => {
    await saveSettings({ telegramBotToken: '', telegramChatId: '' });
    expect((await core.request('POST', '/settings/test')).status).toBe(400);
    expect(telegramCalls).toHaveLength(0);
  });
});
