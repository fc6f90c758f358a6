import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../../../scripts/testing/program';
import { type Entity, GraphStack } from '../../testing/graph-stack';

let graph: GraphStack;

beforeAll(async () => {
  graph = await GraphStack.start();
});
afterAll(() => graph.stop());

test('the name, domains and addresses of the installation are read', async () => {
  expect(await graph.run('installation')).toEqual({
    brandName: 'Estúdio Sete',
    baseDomain: 'localhost',
    sitesDomain: 'localhost',
    serverIp: '203.0.113.1',
    serverIps: ['203.0.113.1', '2001:db8::1'],
  });
});

const TELEGRAM = { telegramBotToken: '123456789:AAExampleExampleExampleExampleExample', telegramChatId: '42' };

test('the settings are read and changed', async () => {
  const noTelegram = { telegramBotToken: '', telegramChatId: '' };
  const { version } = await graph.run<{ version: number }>('updateSettings', { input: noTelegram });
  expect(await graph.run('settings')).toEqual({ ...noTelegram, version });
  const changedSettings = await graph.run('updateSettings', { input: TELEGRAM, version });
  expect(changedSettings).toEqual({ ...TELEGRAM, version: version + 1 });
});

test('Telegram, mail and the language model are tested', async () => {
  await graph.run('updateSettings', { input: TELEGRAM });
  expect(await graph.run('sendTestMessage')).toBe(true);
  expect(await graph.run('sendTestEmail')).toBe(true);
  await graph.withModel(async () => expect(await graph.run('testModel')).toBe(true));
});

test('the integrations are read', async () => {
  expect(await graph.run('integrations')).toEqual({ email: true, ai: true });
});

describe('contact messages', () => {
  beforeEach(() => graph.run('updateSettings', { input: TELEGRAM }));
  afterEach(async () => {
    const { messages } = await graph.run<{ messages: Entity[] }>('contactMessages', { page: 1, limit: 15 });
    for (const { _id: id } of messages) expect(await graph.run('deleteContactMessage', { id })).toBe(true);
    expect(await graph.run('contactMessages', { page: 1, limit: 15 })).toMatchObject({ total: 0 });
  });

  const sendMessage = (name: string) => {
    const input = { name, email: 'ana@example.com', contactInfo: null, message: 'Olá' };
    return graph.run<Entity>('sendContactMessage', { input, website: '' });
  };

  test('are listed with their deliveries', async () => {
    const { _id } = await sendMessage('Ana');
    const deliveries = expect.arrayContaining([expect.objectContaining({ channel: 'telegram' })]);
    expect(await graph.run('contactMessages', { page: 1, limit: 15 })).toMatchObject({
      total: 1,
      unread: 1,
      next: null,
      messages: [{ _id, name: 'Ana', handled: false, deliveries }],
    });
  });

  test('are marked as handled and as answered', async () => {
    const { _id: id } = await sendMessage('Ana');
    expect(await graph.run('setContactHandled', { id, handled: true })).toMatchObject({ handled: true });
    const answeredMessage = { handled: true, answeredAt: expect.stringMatching(/Z$/) };
    expect(await graph.run('setContactAnswered', { id, answered: true })).toMatchObject(answeredMessage);
    expect(await graph.run('contactMessages', { page: 1, limit: 15 })).toMatchObject({ unread: 0 });
  });

  test('are listed in pages, newest first', async () => {
    const firstMessage = await sendMessage('Ana');
    const secondMessage = await sendMessage('Bia');
    const firstPage = await graph.run<{ next: string }>('contactMessages', { page: 1, limit: 1 });
    expect(firstPage).toMatchObject({ unread: 2, messages: [{ _id: secondMessage._id }] });
    expect(await graph.run('contactMessages', { page: 1, limit: 1, before: firstPage.next })).toMatchObject({
      messages: [{ _id: firstMessage._id }],
      next: null,
    });
  });
});

describe('backups', () => {
  beforeEach(() => graph.confirmPassword());

  test('are planned', async () => {
    const folder = join(graph.core.folder, 'planejadas');
    const input = { schedule: '0 3 * * *', keepDaily: 3, folder };
    const savedPlan = await graph.run('updateBackupPlan', { input });
    expect(savedPlan).toMatchObject({
      keepDaily: 3,
      folder,
      s3: null,
      encrypted: false,
      nextRunAt: expect.stringMatching(/Z$/),
    });
    expect(await graph.run('backupPlan')).toEqual(savedPlan);
    const s3 = { endpoint: graph.service.url, bucket: 'a', accessKeyId: 'b' };
    const { errors } = await graph.request('updateBackupPlan', { input: { s3 } });
    expect(errors).toMatchObject([{ extensions: { fields: { 's3.secretAccessKey': expect.any(String) } } }]);
    await graph.run('updateBackupPlan', { input: { schedule: null } });
  });

  test('are started, listed and verified', async () => {
    const folder = join(graph.core.folder, 'copias');
    await graph.run('updateBackupPlan', { input: { schedule: null, folder } });
    const id = await graph.run<string>('startBackup');
    const findNewestBackup = async () => {
      const page = { page: 1, limit: 15 };
      const { backups } = await graph.run<{ backups: (Entity & { state: string; bytes: number })[] }>('backups', page);
      return backups[0];
    };
    await waitFor('a verified backup', async () => (await findNewestBackup())?.state === 'verified');
    const backup = await findNewestBackup();
    expect(backup).toMatchObject({ _id: id, trigger: 'manual', stored: true });
    const files = readdirSync(folder);
    expect(files).toHaveLength(1);
    expect(backup?.bytes).toBe(statSync(join(folder, files[0] ?? '')).size);
    expect(await graph.run('verifyBackup', { id })).toBe(id);
    await waitFor('a repeated verification', async () => (await findNewestBackup())?.state === 'verified');
  });
});
