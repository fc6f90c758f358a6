import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Mailbox, startMailbox } from '../../../../scripts/testing/mailbox';
import { waitFor } from '../../../../scripts/testing/program';
import { Core, listen } from '../../testing/core';

const TOKEN = '123456:segredo-do-bot';

interface SentText {
  path: string;
  chatId: string;
  text: string;
}

/** Telegram's API for tests. It first gives the planned responses, and afterwards accepts every request. */
class TelegramStub {
  sent: SentText[] = [];
  /** Number of received requests, including those without a response. */
  requestCount = 0;
  plannedResponses: (((response: ServerResponse) => void) | undefined)[] = [];

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      this.requestCount += 1;
      const respondAsPlanned = this.plannedResponses.shift();
      if (respondAsPlanned) return respondAsPlanned(response);
      const { chat_id: chatId, text, ...rest } = JSON.parse(body);
      if ('parse_mode' in rest) return respondWith(400, { ok: false, description: 'parse_mode' })(response);
      this.sent.push({ path: request.url ?? '', chatId, text });
      respondWith(200, { ok: true, result: {} })(response);
    });
  };
}

const respondWith = (status: number, body: unknown) => (response: ServerResponse) =>
  void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

const telegram = new TelegramStub();
let core: Core;
let telegramServer: Awaited<ReturnType<typeof listen>>;
let mailbox: Mailbox;

beforeAll(async () => {
  telegramServer = await listen(telegram.handle);
  mailbox = await startMailbox();
  core = await new Core({
    TELEGRAM_API_URL: telegramServer.url,
    SMTP_URL: mailbox.url,
    CONTACT_EMAIL_FROM: 'site@exemplo.com',
    CONTACT_EMAIL_TO: 'estudio@exemplo.com',
    TRUSTED_PROXIES: '127.0.0.1',
  }).start();
});
/**
 * Each test begins with these settings, with servers that accept everything, and without pending deliveries, which would
 * consume the responses that a test plans.
 */
beforeEach(async () => {
  telegram.plannedResponses = [];
  mailbox.state.refusal = undefined;
  await saveSettings({ telegramBotToken: TOKEN, telegramChatId: '42' });
  await waitFor('the delivery of all messages', async () => {
    const { body } = await core.request('GET', '/contact?limit=100');
    const states: string[] = body.messages.flatMap((message: { deliveries: { state: string }[] }) =>
      message.deliveries.map(({ state }) => state),
    );
    return !states.includes('pending');
  });
});
afterAll(async () => {
  await core.stop();
  await telegramServer.stop();
  await mailbox.stop();
});

const saveSettings = (body: object) => core.request('PUT', '/settings', { body });

let addressCount = 0;
/** Returns an address that no other message uses. */
const createAddress = () => `203.0.113.${++addressCount}`;
const createContactFields = (changes: object = {}) => ({
  name: 'Ana Souza',
  email: 'ana@exemplo.com',
  message: 'Quero lançar meu projeto.',
  ...changes,
});
const sendMessage = (changes: object = {}, address = createAddress()) =>
  core.request('POST', '/contact', {
    body: createContactFields(changes),
    token: null,
    headers: { 'X-Forwarded-For': address },
  });

async function createMessage(changes: object = {}): Promise<string> {
  const { status, body } = await sendMessage(changes);
  expect([status, body]).toEqual([201, { _id: expect.any(String) }]);
  return body._id;
}
async function findMessage(id: string) {
  const { body } = await core.request('GET', '/contact?limit=100');
  return body.messages.find(({ _id }: { _id: string }) => _id === id);
}
const findDelivery = async (id: string, channel: 'telegram' | 'email') =>
  (await findMessage(id)).deliveries.find((delivery: { channel: string }) => delivery.channel === channel);
const waitForDelivery = (id: string, channel: 'telegram' | 'email', state = 'sent') =>
  waitFor(`${channel} is ${state}`, async () => {
    const delivery = await findDelivery(id, channel);
    return delivery?.state === state && delivery;
  });
const findTelegramTexts = (id: string) => telegram.sent.filter(({ text }) => text.includes(id));
const findMails = (id: string) => mailbox.mails.filter((text) => text.includes(id));

describe('the form', () => {
  test('a message is stored, then delivered to Telegram and by mail, once each', async () => {
    const id = await createMessage({ contactInfo: ' @ana ', message: '<b>Olá</b> _mundo_ *você* ' });
    await waitForDelivery(id, 'telegram');
    await waitForDelivery(id, 'email');
    expect(await findMessage(id)).toEqual({
      _id: id,
      name: 'Ana Souza',
      email: 'ana@exemplo.com',
      contactInfo: '@ana',
      message: '<b>Olá</b> _mundo_ *você*',
      handled: false,
      answeredAt: null,
      createdAt: expect.stringMatching(/Z$/),
      deliveries: expect.arrayContaining(
        ['telegram', 'email'].map((channel) => ({
          channel,
          state: 'sent',
          attempts: 1,
          deliveredAt: expect.stringMatching(/Z$/),
          lastError: null,
        })),
      ),
    });
    const [sentText] = findTelegramTexts(id);
    expect(sentText).toEqual({ path: `/bot${TOKEN}/sendMessage`, chatId: '42', text: expect.any(String) });
    for (const part of ['Ana Souza', 'ana@exemplo.com', '@ana', '<b>Olá</b> _mundo_ *você*']) {
      expect(sentText?.text).toContain(part);
    }
    expect(findTelegramTexts(id)).toHaveLength(1);
    const [mail = ''] = findMails(id);
    expect(findMails(id)).toHaveLength(1);
    expect(mail).toMatch(/^From: site@exemplo\.com$/m);
    expect(mail).toMatch(/^To: estudio@exemplo\.com$/m);
    expect(mail).toMatch(/^Reply-To: "?Ana Souza"? <ana@exemplo\.com>$/m);
  });

  test.each([
    ['name', undefined, 'Por favor, preencha todos os campos'],
    ['email', ' ', 'Por favor, preencha todos os campos'],
    ['message', '', 'Por favor, preencha todos os campos'],
    ['message', 7, 'Por favor, preencha todos os campos'],
    ['email', 'ana', 'Informe um e-mail válido.'],
    ['email', 'a@b.com, c@d.com', 'Informe um e-mail válido.'],
    ['email', 'a@b.com\r\nBcc: c@d.com', 'Informe um e-mail válido.'],
    ['name', 'Ana\r\nBcc: c@d.com', expect.any(String)],
    ['name', 'a'.repeat(101), expect.any(String)],
    ['message', 'a'.repeat(5001), expect.any(String)],
  ])('a message is refused if its field %s is %j', async (field, value, message) => {
    const { status, body } = await sendMessage({ [field]: value });
    expect([status, body]).toEqual([400, { error: message, fields: { [field]: message } }]);
  });

  test('a message that fills the honeypot gets the response of other messages, but is not delivered', async () => {
    const spam = await sendMessage({ website: 'http://compre.ja' });
    expect([spam.status, spam.body]).toEqual([201, { _id: expect.any(String) }]);
    const laterId = await createMessage({ website: '' });
    await waitForDelivery(laterId, 'telegram');
    expect(findTelegramTexts(spam.body._id)).toEqual([]);
    expect(await findMessage(spam.body._id)).toBeUndefined();
  });

  test('messages are listed in pages, newest first, and only for a caller with a token', async () => {
    const ids = [await createMessage(), await createMessage(), await createMessage()];
    const findPage = async (query: string) => (await core.request('GET', `/contact${query}`)).body;
    const { messages, total } = await findPage('?limit=2');
    expect(messages.map(({ _id }: { _id: string }) => _id)).toEqual([ids[2], ids[1]]);
    expect((await findPage('?limit=2&page=2')).messages[0]._id).toBe(ids[0]);
    expect((await findPage(`?limit=1&page=${total}`)).messages).toHaveLength(1);
    expect((await findPage(`?limit=1&page=${total + 1}`)).messages).toEqual([]);
    expect((await core.request('GET', '/contact', { token: null })).status).toBe(401);
  });
});

describe('deliveries', () => {
  test('a refused delivery is repeated after the retry_after of Telegram', async () => {
    telegram.plannedResponses = [
      respondWith(429, {
        ok: false,
        error_code: 429,
        description: 'Too Many Requests',
        parameters: { retry_after: 2 },
      }),
    ];
    const startedAt = Date.now();
    const id = await createMessage();
    expect((await waitForDelivery(id, 'telegram')).attempts).toBe(2);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(2_000);
    expect(findTelegramTexts(id)).toHaveLength(1);
  });

  test('an outage of e-mail does not delay Telegram', async () => {
    mailbox.state.refusal = '4.3.0 fora do ar';
    const id = await createMessage();
    await waitForDelivery(id, 'telegram');
    const failedDelivery = await waitFor('a failed attempt', async () => {
      const delivery = await findDelivery(id, 'email');
      return delivery.attempts > 0 && delivery.lastError && delivery;
    });
    expect(failedDelivery).toMatchObject({ state: 'pending', lastError: expect.stringContaining('fora do ar') });
    mailbox.state.refusal = undefined;
    await waitForDelivery(id, 'email');
    expect([findTelegramTexts(id).length, findMails(id).length]).toEqual([1, 1]);
  });

  test('a delivery that failed permanently is retried after a change of the settings', async () => {
    telegram.plannedResponses = [respondWith(403, { ok: false, description: `Forbidden: bot ${TOKEN} was blocked` })];
    const id = await createMessage();
    const failedDelivery = await waitForDelivery(id, 'telegram', 'failed');
    expect(failedDelivery.lastError).toBe('Forbidden: bot … was blocked');
    await saveSettings({ telegramChatId: '43' });
    await waitForDelivery(id, 'telegram');
    expect(findTelegramTexts(id).map(({ chatId }) => chatId)).toEqual(['43']);
  });

  test('a message is sent to the new id of a migrated Telegram group', async () => {
    telegram.plannedResponses = [
      respondWith(400, { ok: false, description: 'migrated', parameters: { migrate_to_chat_id: -100123 } }),
    ];
    const id = await createMessage();
    await waitForDelivery(id, 'telegram');
    expect(findTelegramTexts(id).map(({ chatId }) => chatId)).toEqual(['-100123']);
  });

  test('a long message arrives complete, in pieces that Telegram accepts', async () => {
    const text = '😀'.repeat(2_500);
    telegram.sent = [];
    // Telegram accepts the first piece, and refuses the second piece once. Only the second piece is sent again.
    telegram.plannedResponses = [undefined, respondWith(500, { ok: false, description: 'Internal Server Error' })];
    const id = await createMessage({ message: text });
    expect((await waitForDelivery(id, 'telegram')).attempts).toBe(2);
    const pieces = telegram.sent.map((message) => message.text);
    expect(pieces.length).toBe(2);
    expect(pieces.every((piece) => piece.length <= 4096 && !/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/.test(piece))).toBe(
      true,
    );
    expect(pieces.join('')).toContain(text);
  });

  test('a message is accepted immediately while Telegram does not respond', async () => {
    let hangingResponse: ServerResponse | undefined;
    telegram.plannedResponses = [
      (response) => {
        hangingResponse = response;
      },
    ];
    const id = await createMessage();
    const response = await waitFor('a request to Telegram', () => hangingResponse);
    await createMessage();
    expect(response.closed).toBe(false);
    respondWith(200, { ok: true, result: {} })(response);
    await waitForDelivery(id, 'telegram');
  });

  test('stored messages are delivered once after a kill of the process', async () => {
    mailbox.state.refusal = '4.3.0 fora do ar';
    const ids = await Promise.all(Array.from({ length: 5 }, () => createMessage()));
    for (const id of ids) await waitForDelivery(id, 'telegram');
    await core.end('SIGKILL');
    // A mail that is still on its way would be accepted once the refusal is cleared.
    await waitFor('the end of all SMTP connections', () => mailbox.countConnections() === 0);
    mailbox.state.refusal = undefined;
    // The update ends the back-offs and the leases of the killed process. A start on PostgreSQL keeps such leases,
    // because another core could hold them.
    await core.query(
      `UPDATE contact_deliveries SET "nextAttemptAt" = '${new Date(0).toISOString()}' WHERE "messageId" IN ('${ids.join("','")}')`,
    );
    await core.start();
    for (const id of ids) await waitForDelivery(id, 'email');
    expect(ids.map((id) => [findTelegramTexts(id).length, findMails(id).length])).toEqual(ids.map(() => [1, 1]));
  });

  test('a stop does not wait for a request to which Telegram does not respond', async () => {
    telegram.plannedResponses = [() => undefined];
    const earlierRequestCount = telegram.requestCount;
    await createMessage();
    await waitFor('a request to Telegram', async () => telegram.requestCount > earlierRequestCount);
    // A stop that waits for the hanging request would be cut off with exit code 1.
    expect(await core.end('SIGTERM')).toBe(0);
    await core.start();
  });
});

test('the log contains failed deliveries, but not the bot token', async () => {
  telegram.plannedResponses = [respondWith(403, { ok: false, description: `Forbidden: bot ${TOKEN} was blocked` })];
  await waitForDelivery(await createMessage(), 'telegram', 'failed');
  await waitFor('the line of the failure', () => core.output.includes('a delivery failed'));
  expect(core.output).not.toContain(TOKEN);
});

test("POST /integrations/email/test sends a mail, and returns the mail server's reason for a refusal", async () => {
  expect((await core.request('GET', '/integrations')).body.email).toBe(true);
  expect((await core.request('POST', '/integrations/email/test')).status).toBe(204);
  expect(mailbox.mails.at(-1)).toContain('Subject: Mensagem de teste');
  mailbox.state.refusal = 'caixa cheia';
  const response = await core.request('POST', '/integrations/email/test');
  mailbox.state.refusal = undefined;
  expect([response.status, response.body.details]).toEqual([502, expect.stringContaining('caixa cheia')]);
  expect((await core.request('POST', '/integrations/ai/test')).status).toBe(400);
});
