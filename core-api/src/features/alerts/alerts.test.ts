import { createServer, type Server } from 'node:http';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import { findFreePort, waitFor } from '../../../../scripts/testing/program';
import { fastClock, getFastTime } from '../../../../scripts/testing/stack';
import { Core, listen } from '../../testing/core';
import { createSubdomain, removeAll } from '../../testing/records';

interface ReceivedMessage {
  id: string;
  type: string;
  body: {
    type: string;
    data: { kind: string; subject: { name: string }; until?: string; alerts?: { kind: string; event: string }[] };
  };
  headers: Record<string, string>;
  raw: string;
}

/** A receiver of webhooks with configurable responses. */
async function startReceiver() {
  const receivedMessages: ReceivedMessage[] = [];
  const state = { status: 204 };
  const server = await listen((request, response) => {
    let raw = '';
    request.on('data', (chunk) => {
      raw += chunk;
    });
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const body = JSON.parse(raw);
      receivedMessages.push({ id: headers['webhook-id'] ?? '', type: body.type, body, headers, raw });
      response.writeHead(state.status).end();
    });
  });
  /** Finds the received messages about alerts of a kind, whatever the response was. */
  const findMessages = (kind = 'target_down') =>
    receivedMessages.filter(
      ({ body }) => body.data.kind === kind || body.data.alerts?.some((alert) => alert.kind === kind),
    );
  return { ...server, receivedMessages, state, findMessages };
}

/** Verifies a signature at the time of its message, because the clock of the core is ahead. */
function verifySignature(secret: string, { raw, headers }: ReceivedMessage): void {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Number(headers['webhook-timestamp']) * 1000);
  try {
    new Webhook(secret).verify(raw, headers);
  } finally {
    clock.mockRestore();
  }
}

/** The clock is fast, because confirmations and the grouping of messages take half a minute. */
const clock = fastClock(10);
let core: Core;
let telegram: Awaited<ReturnType<typeof listen>>;
const telegramTexts: string[] = [];
const mails: string[] = [];
let smtp: SMTPServer;
const openServers: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  telegram = await listen((request, response) => {
    let raw = '';
    request.on('data', (chunk) => {
      raw += chunk;
    });
    request.on('end', () => {
      const { text, ...rest } = JSON.parse(raw);
      // With a parse mode Telegram would read names as markup.
      expect(Object.keys(rest)).toEqual(['chat_id', 'link_preview_options']);
      telegramTexts.push(text);
      response.end('{"ok":true,"result":{}}');
    });
  });
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = '';
      stream.on('data', (chunk) => {
        text += chunk;
      });
      stream.on('end', () => {
        mails.push(text);
        done();
      });
    },
  });
  const smtpPort = await findFreePort();
  await new Promise<void>((resolve) => smtp.listen(smtpPort, '127.0.0.1', resolve));
  core = await new Core({
    ...clock,
    HEALTH_INTERVAL_S: '1',
    TIME_ZONE: 'UTC',
    TELEGRAM_API_URL: telegram.url,
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    CONTACT_EMAIL_FROM: 'estudio@example.com',
    CONTACT_EMAIL_TO: 'plantao@example.com',
  }).start();
});
/** Each test begins without channels, silences and subjects. */
beforeEach(async () => {
  for (const list of ['/alert-channels', '/mutes', '/maintenance-windows', '/tenants', '/projects'])
    await removeAll(core, list);
  for (const { _id } of (await core.request('GET', '/subdomains?limit=100')).body.subdomains)
    await core.request('DELETE', `/subdomains/${_id}`);
});
afterAll(async () => {
  await core?.stop();
  await telegram.stop();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
  for (const server of openServers) await server.stop();
});

/** An application that can be stopped and started on the same port. */
async function startApplication() {
  const port = await findFreePort();
  let server: Server | undefined;
  const start = () =>
    new Promise<void>((resolve) => {
      server = createServer((_request, response) => void response.end()).listen(port, '127.0.0.1', resolve);
    });
  const stop = () =>
    new Promise<void>((resolve) => {
      if (!server?.listening) return resolve();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await start();
  openServers.push({ stop });
  return { port, start, stop };
}

const isUp = async (label: string) =>
  (await core.request('GET', `/uptime?subdomain=${label}&days=1`)).body.percent === 100;
const listAlerts = async (name: string, query = 'kind=target_down&limit=100') =>
  (await core.request('GET', `/alerts?${query}`)).body.alerts.filter(
    ({ subject }: { subject: { name: string } }) => subject.name === name,
  );
const createChannel = (name: string, fields: object) => core.create('/alert-channels', { name, ...fields });
const removeChannel = (id: string) => core.request('DELETE', `/alert-channels/${id}`);

test('every channel is notified of an outage, and a webhook receives the outage and its end once each', async () => {
  await core.request('PUT', '/settings', { body: { telegramBotToken: '123456:ABC-def', telegramChatId: '42' } });
  const hook = await startReceiver();
  openServers.push(hook);
  const channel = await createChannel('Gancho', { type: 'webhook', url: hook.url });
  const mail = await createChannel('Correio', { type: 'email' });
  const chat = await createChannel('Conversa', { type: 'telegram' });
  expect(channel.secret).toMatch(/^whsec_/);
  const { body: channels } = await core.request('GET', '/alert-channels');
  expect(JSON.stringify(channels)).not.toContain(channel.secret);

  const { port, start, stop } = await startApplication();
  const subdomain = await createSubdomain(core, 'loja', { port });
  await waitFor('a healthy target', () => isUp('loja'));
  await stop();
  const firingMessage = await waitFor('a message', () => hook.findMessages()[0]);
  verifySignature(channel.secret, firingMessage);
  const [incident] = (await core.request('GET', '/uptime?subdomain=loja&days=1')).body.incidents;
  expect(firingMessage.body).toEqual({
    type: 'alert.firing',
    timestamp: expect.any(String),
    data: {
      kind: 'target_down',
      severity: 'critical',
      subject: { type: 'subdomain', id: subdomain._id, name: 'loja' },
      machine: expect.any(String),
      since: incident.startedAt,
      reason: `Ninguém atende na porta ${port}.`,
    },
  });
  await waitFor('a mail', () => mails.some((text) => text.includes('loja')));
  await waitFor('a text', () => telegramTexts.some((text) => text.includes('Fora do ar: loja')));

  const [alert] = await listAlerts('loja');
  expect(alert).toMatchObject({ state: 'open', severity: 'critical', flapping: false });
  const acknowledgement = await core.request('POST', `/alerts/${alert._id}/acknowledge`, {
    body: { note: 'Estou vendo.' },
  });
  expect([acknowledgement.status, acknowledgement.body]).toEqual([
    200,
    expect.objectContaining({ acknowledgedBy: 'admin', note: 'Estou vendo.' }),
  ]);

  await start();
  const resolvedMessage = await waitFor('the end of the alert', () =>
    hook.findMessages().find(({ type }) => type === 'alert.resolved'),
  );
  expect(resolvedMessage.body.data).toMatchObject({ since: incident.startedAt, until: expect.any(String) });
  const lateResponse = await core.request('POST', `/alerts/${alert._id}/acknowledge`, { body: {} });
  expect([lateResponse.status, lateResponse.body.error]).toEqual([409, 'Este alerta já terminou.']);
  expect(hook.findMessages().map(({ type }) => type)).toEqual(['alert.firing', 'alert.resolved']);
  for (const { _id } of [channel, mail, chat]) await removeChannel(_id);
});

test('a name that looks like markup is plain text in mail, Telegram, Slack and Discord', async () => {
  const [slack, discord] = [await startReceiver(), await startReceiver()];
  openServers.push(slack, discord);
  await core.request('PUT', '/settings', { body: { telegramBotToken: '123456:ABC-def', telegramChatId: '42' } });
  const channels = [
    await createChannel('Correio', { type: 'email' }),
    await createChannel('Conversa', { type: 'telegram' }),
    await createChannel('Slack', { type: 'webhook', format: 'slack', url: slack.url }),
    await createChannel('Discord', { type: 'webhook', format: 'discord', url: discord.url }),
  ];
  const { port, start, stop } = await startApplication();
  const project = await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: port });
  const name = '<a href=//mau.example>[x](tg://u)</a>*_`<!channel>@everyone';
  await core.create('/tenants', { name, dbName: 'marcas', subdomain: 'marcas', project: project._id });
  await waitFor('a healthy target', async () => {
    const [tenant] = (await core.request('GET', '/tenants')).body;
    return tenant.health?.state === 'up';
  });
  await stop();
  await waitFor('a text', () => telegramTexts.some((text) => text.includes(name)));
  const mail = await waitFor('a mail', () => mails.find((text) => text.includes('mau.example')));
  expect(mail).toMatch(/^Content-Type: text\/plain/m);
  expect(mail).not.toMatch(/multipart|text\/html/);
  const waitForBody = async ({ receivedMessages }: Awaited<ReturnType<typeof startReceiver>>) =>
    JSON.parse((await waitFor('a message', () => receivedMessages[0])).raw);
  expect(await waitForBody(slack)).toEqual({
    text: expect.stringContaining('&lt;a href=//mau.example&gt;[x](tg://u)&lt;/a&gt;*_`&lt;!channel&gt;@everyone'),
    mrkdwn: false,
  });
  expect(await waitForBody(discord)).toEqual({
    content: expect.stringContaining('<a href=//mau.example>\\[x](tg://u)</a>*_`<!channel>@everyone'),
    allowed_mentions: { parse: [] },
  });
  await start();
  await waitFor('the end of the alert', async () => (await listAlerts(name))[0]?.state === 'resolved');
  for (const { _id } of channels) await removeChannel(_id);
});

test('an outage that ends before its message was delivered is sent as one message, with one id in all attempts', async () => {
  const hook = await startReceiver();
  openServers.push(hook);
  hook.state.status = 500;
  const channel = await createChannel('Falho', { type: 'webhook', url: hook.url });
  const { port, start, stop } = await startApplication();
  await createSubdomain(core, 'falha', { port });
  await waitFor('a healthy target', () => isUp('falha'));
  await stop();
  await waitFor('two attempts', () => hook.findMessages().length >= 2);
  await start();
  await waitFor('the end of the alert', async () => (await listAlerts('falha'))[0]?.state === 'resolved');
  const rotation = await core.request('POST', `/alert-channels/${channel._id}/rotate-secret`, {
    body: { graceSeconds: 600 },
  });
  expect(rotation.status).toBe(200);
  hook.state.status = 204;
  const lastMessage = await waitFor('a delivery', async () => {
    const [alert] = await listAlerts('falha');
    return alert.deliveries.every(({ state }: { state: string }) => state === 'sent') && hook.findMessages().at(-1);
  });
  expect(new Set(hook.findMessages().map(({ id }) => id)).size).toBe(1);
  expect([lastMessage.type, lastMessage.body.data.until]).toEqual(['alert.resolved', expect.any(String)]);
  for (const attempt of hook.findMessages()) verifySignature(channel.secret, attempt);
  verifySignature(rotation.body.secret, lastMessage);
  await removeChannel(channel._id);
});

test('thirty simultaneous outages are reported in one message', async () => {
  const hook = await startReceiver();
  openServers.push(hook);
  const { port, stop } = await startApplication();
  for (let index = 0; index < 30; index += 1) await createSubdomain(core, `muitos-${index}`, { port });
  await waitFor('a healthy target', () => isUp('muitos-0'));
  const channel = await createChannel('Muitos', { type: 'webhook', url: hook.url });
  await stop();
  const message = await waitFor('a message', () => hook.findMessages()[0]);
  expect(message.body.data.alerts?.map(({ event }) => event)).toEqual(Array.from({ length: 30 }, () => 'firing'));
  await removeChannel(channel._id);
});

test('an alert about a muted subject is listed at once, and is sent when the mute ends', async () => {
  const hook = await startReceiver();
  openServers.push(hook);
  const channel = await createChannel('Calado', { type: 'webhook', url: hook.url });
  const { port, stop } = await startApplication();
  await createSubdomain(core, 'mudo', { port });
  await waitFor('a healthy target', () => isUp('mudo'));
  const isoInDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const refusal = await core.request('POST', '/mutes', {
    body: { subject: { type: 'subdomain', id: 'mudo' }, until: isoInDays(31), reason: 'x' },
  });
  expect([refusal.status, refusal.body.fields.until]).toEqual([400, 'Informe até quando (no máximo 30 dias).']);
  const mute = await core.create('/mutes', {
    kind: 'target_down',
    subject: { type: 'subdomain', id: 'mudo' },
    until: isoInDays(1),
    reason: 'Troca de servidor',
  });
  await stop();
  await waitFor('the alert', async () => (await listAlerts('mudo')).length === 1);
  const countBeforeUnmute = hook.findMessages().length;
  expect((await listAlerts('mudo'))[0].deliveries).toEqual([]);
  const { body: mutes } = await core.request('GET', '/mutes');
  expect([mute.subjectName, mutes[0].subjectName]).toEqual([null, 'mudo']);
  expect((await core.request('DELETE', `/mutes/${mute._id}`)).status).toBe(204);
  await waitFor('a message', () => hook.findMessages().length > countBeforeUnmute);
  await removeChannel(channel._id);
});

test('an outage in a maintenance window is sent to no channel and does not count as downtime', async () => {
  const hook = await startReceiver();
  openServers.push(hook);
  const channel = await createChannel('Obras', { type: 'webhook', url: hook.url });
  const { port, stop } = await startApplication();
  await createSubdomain(core, 'obras', { port });
  await waitFor('a healthy target', () => isUp('obras'));
  const now = getFastTime(clock);
  const window = await core.create('/maintenance-windows', {
    title: 'Atualização',
    subjects: [{ type: 'subdomain', id: 'obras' }],
    startsAt: new Date(now - 60_000).toISOString(),
    endsAt: new Date(now + 3_600_000).toISOString(),
    weekdays: [],
  });
  expect(window).toMatchObject({ active: true, version: 1 });
  await stop();
  await waitFor('the alert', async () => (await listAlerts('obras')).length === 1);
  expect((await listAlerts('obras'))[0].deliveries).toEqual([]);
  expect((await core.request('GET', '/uptime?subdomain=obras&days=1')).body).toMatchObject({
    percent: 100,
    downSeconds: 0,
  });
  await removeChannel(channel._id);
});

test('the default rules can be changed for all subjects or for one subject', async () => {
  const { body: rules } = await core.request('GET', '/alert-rules');
  const errorsRule = rules.find(({ kind }: { kind: string }) => kind === 'errors');
  expect(errorsRule).toMatchObject({ subject: null, enabled: true, thresholds: { percent: 5, count: 10 }, version: 1 });
  const updateRule = (body: object, version: number) =>
    core.request('PUT', `/alert-rules/${errorsRule._id}`, { body, headers: { 'If-Match': `"${version}"` } });
  expect((await updateRule({ thresholds: { percent: 20 } }, 1)).body.thresholds).toEqual({ percent: 20, count: 10 });
  expect((await updateRule({ enabled: false }, 1)).status).toBe(412);
  expect((await updateRule({ thresholds: { nada: 1 } }, 2)).status).toBe(400);
  const { port } = await startApplication();
  await createSubdomain(core, 'regra', { port });
  const subject = { type: 'subdomain', id: 'regra' };
  const subjectRule = await core.create('/alert-rules', { kind: 'errors', subject, severity: 'critical' });
  expect(subjectRule).toMatchObject({ severity: 'critical', thresholds: { percent: 20, count: 10 } });
  expect((await core.request('POST', '/alert-rules', { body: { kind: 'errors', subject } })).status).toBe(409);
  expect((await core.request('DELETE', `/alert-rules/${subjectRule._id}`)).status).toBe(204);
  expect((await core.request('DELETE', `/alert-rules/${errorsRule._id}`)).status).toBe(409);
});

test('a webhook must use http(s), and may not point to this installation or to a metadata address', async () => {
  for (const url of [`http://127.0.0.1:${core.port}/`, 'http://169.254.169.254/', 'ftp://example.com/']) {
    const response = await core.request('POST', '/alert-channels', { body: { name: 'Mau', type: 'webhook', url } });
    expect([response.status, Object.keys(response.body.fields ?? {})]).toEqual([400, ['url']]);
  }
});

test('a test message shows whether the channel works', async () => {
  const hook = await startReceiver();
  openServers.push(hook);
  const channel = await createChannel('Prova', { type: 'webhook', url: hook.url });
  const send = () => core.request('POST', `/alert-channels/${channel._id}/test`);
  expect((await send()).status).toBe(204);
  expect(hook.receivedMessages.at(-1)?.type).toBe('channel.test');
  hook.state.status = 403;
  const failureResponse = await send();
  expect([failureResponse.status, failureResponse.body.details]).toEqual([
    502,
    'O webhook respondeu com o status 403.',
  ]);
  await removeChannel(channel._id);
});

test('the URL and the secret of a webhook are encrypted on disk', async () => {
  const channel = await createChannel('Cofre', { type: 'webhook', url: 'https://example.com/segredo-do-gancho' });
  const rows = await core.query('SELECT url, secret FROM alert_channels');
  expect(JSON.stringify(rows)).not.toMatch(/segredo-do-gancho|whsec_/);
  await removeChannel(channel._id);
});
