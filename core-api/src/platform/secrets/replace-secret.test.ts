import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../testing/command';
import { Core } from '../../testing/core';

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
});
afterAll(() => core.stop());

test('a database gets another key by replace-secret, which re-encrypts the values of the old key', async () => {
  await core.request('PUT', '/settings', { body: { telegramBotToken: '1:segredo', telegramChatId: '42' } });
  const readToken = async () => (await core.request('GET', '/settings')).body.telegramBotToken;
  const replace = (name: string, args: string[] = []) =>
    runCommand('admin', ['replace-secret', name, ...args], core.database);
  expect(await replace('SETTINGS_KEY')).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^O produto está em execução[^\n]*\n$/),
  });
  await core.end('SIGTERM');
  const oldKey = readFileSync(join(core.folder, 'settings.key'), 'utf8');
  expect((await replace('SETTINGS_KEY')).code).toBe(0);
  const newKey = readFileSync(join(core.folder, 'settings.key'), 'utf8');
  expect([newKey === oldKey, newKey.length]).toEqual([false, 64]);
  expect(statSync(join(core.folder, 'settings.key')).mode & 0o777).toBe(0o600);
  await core.start();
  expect(await readToken()).toBe('1:segredo');

  // Values of a lost key are dropped only with `--lost`.
  await core.end('SIGTERM');
  writeFileSync(join(core.folder, 'settings.key'), '');
  expect((await replace('SETTINGS_KEY')).stderr).toMatch(/--lost/);
  expect((await replace('SETTINGS_KEY', ['--lost'])).code).toBe(0);
  await core.start();
  expect(await readToken()).toBe('');
});
