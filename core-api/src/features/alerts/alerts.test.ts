import { createServer, type Server } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { type Mailbox, startMailbox } from '../../../../scripts/testing/mailbox';
import { findFreePort, waitFor } from '../../../../scripts/testing/program';
import { fastClock, getFastTime } from '../../../../scripts/testing/stack';
import {
  startWebhookReceiver,
  type WebhookMessage,
  type WebhookReceiver,
} from '../../../../scripts/testing/webhook-receiver';
import { Core, listen, type RestResponse } from '../../testing/core';
import { createSubdomain, removeAll } from '../../testing/records';
import { alertMessages } from './alerts.messages';

/** Finds the received messages about alerts of a kind, whatever the receiver responded. */
const findMessages = ({ messages }: WebhookReceiver, kind = 'target_down') =>
  messages.filter(({ body }) => body.data.kind === kind || body.data.alerts?.some((alert) => alert.kind === kind));

/** Verifies a signature at the time of its message, because the clock of the core is ahead. */
function verifySignature(secret: string, { raw, headers }: WebhookMessage): void {
  const nowSpy = jest.spyOn(Date, 'now').mockReturnValue(Number(headers['webhook-timestamp']) * 1000);
  try {
    new Webhook(secret).verify(raw, headers);
  } finally {
    nowSpy.mockRestore();
  }
}

/** The clock is fast, because confirmations and the grouping of messages take half a minute. */
const clock = fastClock(10);
let core: Core;
let telegram: Awaited<ReturnType<typeof listen>>;
const telegramTexts: string[] = [];
let mailbox: Mailbox;
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
  mailbox = await startMailbox();
  core = await new Core({
    ...clock,
    HEALTH_INTERVAL_S: '1',
    TIME_ZONE: 'UTC',
    TELEGRAM_API_URL: telegram.url,
    SMTP_URL: mailbox.url,
    CONTACT_EMAIL_FROM: 'estudio@example.com',
    CONTACT_EMAIL_TO: 'plantao@example.com',
  }).start();
});
/** Each test begins without channels, silences and subjects. */
beforeEach(removeChannelsAndSubjects);
async function removeChannelsAndSubjects(): Promise<void> {
  for (const list of ['/alert-channels', '/mutes', '/maintenance-windows', '/tenants', '/projects'])
    await removeAll(core, list);
  for (const { _id } of (await core.request('GET', '/subdomains?limit=100')).body.subdomains)
    await core.request('DELETE', `/subdomains/${_id}`);
}
afterAll(async () => {
  await core?.stop();
  await telegram.stop();
  await mailbox.stop();
  for (const server of openServers) await server.stop();
});

/** Starts a receiver that is stopped after the tests. */
async function openReceiver(): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver();
  openServers.push(receiver);
  return receiver;
}

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
const saveTelegramSettings = () =>
  core.request('PUT', '/settings', { body: { telegramBotToken: '123456:ABC-def', telegramChatId: '42' } });

describe('an outage that is reported by webhook, mail and Telegram', () => {
  let hook: WebhookReceiver;
  let secret: string;
  let subdomainId: string;
  let port: number;
  let firingMessage: WebhookMessage;
  let incident: { startedAt: string };
  let openAlert: object;
  let acknowledgement: RestResponse;
  let lateAcknowledgement: RestResponse;
  /** Runs the outage from its start to its end once for all tests. */
  beforeAll(async () => {
    await removeChannelsAndSubjects();
    await saveTelegramSettings();
    hook = await openReceiver();
    ({ secret } = await createChannel('Gancho', { type: 'webhook', url: hook.url }));
    await createChannel('Correio', { type: 'email' });
    await createChannel('Conversa', { type: 'telegram' });
    const application = await startApplication();
    port = application.port;
    subdomainId = (await createSubdomain(core, 'loja', { port }))._id;
    await waitFor('a healthy target', () => isUp('loja'));
    await application.stop();
    firingMessage = await waitFor('a message', () => findMessages(hook)[0]);
    [incident] = (await core.request('GET', '/uptime?subdomain=loja&days=1')).body.incidents;
    const [alert] = await listAlerts('loja');
    openAlert = alert;
    const acknowledge = (body: object) => core.request('POST', `/alerts/${alert._id}/acknowledge`, { body });
    acknowledgement = await acknowledge({ note: 'Estou vendo.' });
    await application.start();
    await waitFor('the end of the alert', () => findMessages(hook).length > 1);
    lateAcknowledgement = await acknowledge({});
  });

  test('is reported to the webhook by a signed message with the subject, the time and the reason', () => {
    verifySignature(secret, firingMessage);
    expect(firingMessage.body).toEqual({
      type: 'alert.firing',
      timestamp: expect.any(String),
      data: {
        kind: 'target_down',
        severity: 'critical',
        subject: { type: 'subdomain', id: subdomainId, name: 'loja' },
        machine: expect.any(String),
        since: incident.startedAt,
        reason: `Ninguém atende na porta ${port}.`,
      },
    });
  });

  test('is reported by mail and Telegram, too', async () => {
    await waitFor('a mail', () => mailbox.mails.some((text) => text.includes('loja')));
    await waitFor('a text', () => telegramTexts.some((text) => text.includes('Fora do ar: loja')));
  });

  test('is reported to the webhook at its start and at its end, once each', () => {
    expect(findMessages(hook).map(({ body }) => body.type)).toEqual(['alert.firing', 'alert.resolved']);
    expect(findMessages(hook)[1]?.body.data).toMatchObject({ since: incident.startedAt, until: expect.any(String) });
  });

  test('has an alert that can be acknowledged until the alert ends', () => {
    expect(openAlert).toMatchObject({ state: 'open', severity: 'critical', flapping: false });
    expect([acknowledgement.status, acknowledgement.body]).toEqual([
      200,
      expect.objectContaining({ acknowledgedBy: 'admin', note: 'Estou vendo.' }),
    ]);
    expect([lateAcknowledgement.status, lateAcknowledgement.body.error]).toEqual([409, 'Este alerta já terminou.']);
  });
});

test('the list of channels does not contain the secret of a webhook', async () => {
  const { secret } = await createChannel('Gancho', { type: 'webhook', url: 'https://example.com/' });
  expect(secret).toMatch(/^whsec_/);
  const { body: channels } = await core.request('GET', '/alert-channels');
  expect(channels).toHaveLength(1);
  expect(JSON.stringify(channels)).not.toContain(secret);
});

test('a name that looks like markup is plain text in mail, Telegram, Slack and Discord', async () => {
  const [slack, discord] = [await openReceiver(), await openReceiver()];
  await saveTelegramSettings();
  await createChannel('Correio', { type: 'email' });
  await createChannel('Conversa', { type: 'telegram' });
  await createChannel('Slack', { type: 'webhook', format: 'slack', url: slack.url });
  await createChannel('Discord', { type: 'webhook', format: 'discord', url: discord.url });
  const { port, stop } = await startApplication();
  const project = await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: port });
  const name = '<a href=//mau.example>[x](tg://u)</a>*_`<!channel>@everyone';
  await core.create('/tenants', { name, dbName: 'marcas', subdomain: 'marcas', project: project._id });
  await waitFor('a healthy target', async () => {
    const [tenant] = (await core.request('GET', '/tenants')).body;
    return tenant.health?.state === 'up';
  });
  await stop();
  await waitFor('a text', () => telegramTexts.some((text) => text.includes(name)));
  const mail = await waitFor('a mail', () => mailbox.mails.find((text) => text.includes('mau.example')));
  expect(mail).toMatch(/^Content-Type: text\/plain/m);
  expect(mail).not.toMatch(/multipart|text\/html/);
  const waitForBody = async ({ messages }: WebhookReceiver) => (await waitFor('a message', () => messages[0])).body;
  expect(await waitForBody(slack)).toEqual({
    text: expect.stringContaining('&lt;a href=//mau.example&gt;[x](tg://u)&lt;/a&gt;*_`&lt;!channel&gt;@everyone'),
    mrkdwn: false,
  });
  expect(await waitForBody(discord)).toEqual({
    content: expect.stringContaining('<a href=//mau.example>\\[x](tg://u)</a>*_`<!channel>@everyone'),
    allowed_mentions: { parse: [] },
  });
});

test('an outage that ends before its message was delivered is sent as one message, with one id in all attempts', async () => {
  const hook = await openReceiver();
  hook.state.status = 500;
  const channel = await createChannel('Falho', { type: 'webhook', url: hook.url });
  const { port, start, stop } = await startApplication();
  await createSubdomain(core, 'falha', { port });
  await waitFor('a healthy target', () => isUp('falha'));
  await stop();
  await waitFor('two attempts', () => findMessages(hook).length >= 2);
  await start();
  await waitFor('the end of the alert', async () => (await listAlerts('falha'))[0]?.state === 'resolved');
  const body = { graceSeconds: 600 };
  const rotation = await core.request('POST', `/alert-channels/${channel._id}/rotate-secret`, { body });
  expect(rotation.status).toBe(200);
  hook.state.status = 204;
  const lastMessage = await waitFor('a delivery', async () => {
    const [alert] = await listAlerts('falha');
    return alert.deliveries.every(({ state }: { state: string }) => state === 'sent') && findMessages(hook).at(-1);
  });
  expect(new Set(findMessages(hook).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect([lastMessage.body.type, lastMessage.body.data.until]).toEqual(['alert.resolved', expect.any(String)]);
  // Until `graceSeconds` have passed, the old and the new secret sign each message.
  for (const attempt of findMessages(hook)) verifySignature(channel.secret, attempt);
  verifySignature(rotation.body.secret, lastMessage);
});

test('thirty simultaneous outages are reported in one message', async () => {
  const hook = await openReceiver();
  const { port, stop } = await startApplication();
  for (let index = 0; index < 30; index += 1) await createSubdomain(core, `muitos-${index}`, { port });
  await waitFor('a healthy target', () => isUp('muitos-0'));
  await createChannel('Muitos', { type: 'webhook', url: hook.url });
  await stop();
  const message = await waitFor('a message', () => findMessages(hook)[0]);
  expect(message.body.data.alerts?.map(({ event }) => event)).toEqual(Array.from({ length: 30 }, () => 'firing'));
});

const createIsoInDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const createMuteBody = (label: string, days = 1) => ({
  kind: 'target_down',
  subject: { type: 'subdomain', id: label },
  until: createIsoInDays(days),
  reason: 'Troca de servidor',
});

test('a mute of more than 30 days is refused', async () => {
  const { port } = await startApplication();
  await createSubdomain(core, 'calado', { port });
  const { status, body } = await core.request('POST', '/mutes', { body: createMuteBody('calado', 31) });
  expect([status, body.fields.until]).toEqual([400, 'Informe até quando (no máximo 30 dias).']);
});

test('an alert of a muted subject is listed, but is sent only after the mute', async () => {
  const hook = await openReceiver();
  await createChannel('Calado', { type: 'webhook', url: hook.url });
  const { port, stop } = await startApplication();
  await createSubdomain(core, 'mudo', { port });
  await waitFor('a healthy target', () => isUp('mudo'));
  const mute = await core.create('/mutes', createMuteBody('mudo'));
  // The name comes from the newest alert about the subject (contract §10).
  expect(mute.subjectName).toBeNull();
  await stop();
  const [alert] = await waitFor('the alert', async () => {
    const alerts = await listAlerts('mudo');
    return alerts.length > 0 && alerts;
  });
  expect(alert.deliveries).toEqual([]);
  expect(findMessages(hook)).toEqual([]);
  expect((await core.request('GET', '/mutes')).body[0].subjectName).toBe('mudo');
  expect((await core.request('DELETE', `/mutes/${mute._id}`)).status).toBe(204);
  await waitFor('a message', () => findMessages(hook).length > 0);
});

test('an outage in a maintenance window is sent to no channel and does not count as downtime', async () => {
  const hook = await openReceiver();
  await createChannel('Obras', { type: 'webhook', url: hook.url });
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
  const { status, body: refusal } = await updateRule({ thresholds: { count: 1_000_001 } }, 2);
  expect([status, refusal.fields]).toEqual([400, { thresholds: alertMessages.thresholds }]);
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

test('a change of a channel keeps absent fields, and ignores a null URL and the fields of other types', async () => {
  const { _id: id } = await createChannel('Gancho', { type: 'webhook', url: 'https://example.com/a', format: 'slack' });
  const body = { name: 'Outro', chatId: '42', to: 'ana@example.com', url: null };
  const { body: channel } = await core.request('PUT', `/alert-channels/${id}`, { body });
  const ownFields = { name: 'Outro', url: 'https://example.com/a', format: 'slack' };
  expect(channel).toMatchObject({ ...ownFields, chatId: null, to: null });
  const { _id: mailId } = await createChannel('Correio', { type: 'email' });
  const { body: mailChannel } = await core.request('PUT', `/alert-channels/${mailId}`, {
    body: { to: 'ana@example.com', url: 'https://example.com/', format: 'slack' },
  });
  expect(mailChannel).toMatchObject({ to: 'ana@example.com', url: null, format: null });
});

test('a test message shows whether the channel works', async () => {
  const hook = await openReceiver();
  const channel = await createChannel('Prova', { type: 'webhook', url: hook.url });
  const send = () => core.request('POST', `/alert-channels/${channel._id}/test`);
  expect((await send()).status).toBe(204);
  expect(hook.messages.at(-1)?.body.type).toBe('channel.test');
  hook.state.status = 403;
  const failureResponse = await send();
  expect([failureResponse.status, failureResponse.body.details]).toEqual([
    502,
    'O webhook respondeu com o status 403.',
  ]);
});

test('the URL and the secret of a webhook are encrypted on disk', async () => {
  await createChannel('Cofre', { type: 'webhook', url: 'https://example.com/segredo-do-gancho' });
  const rows = await core.query('SELECT url, secret FROM alert_channels');
  expect(JSON.stringify(rows)).not.toMatch(/segredo-do-gancho|whsec_/);
});
