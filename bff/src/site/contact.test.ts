import { listen, type RunningServer, startBff } from '../testing/servers';
import { createWebBuild } from '../testing/web-build';

const TYPED_VALUES = {
  name: 'Zé "Bala" <b>',
  email: `ze@example.com" autofocus onfocus="alert(1)`,
  contactInfo: '',
  message: '\nolá </textarea><script>alert(1)</script>\n$& $1',
  website: '',
};

const build = createWebBuild();
const receivedCalls: { body: unknown; headers: NodeJS.Dict<string | string[]> }[] = [];
let coreStatus = 201;
let coreResponse: object = { _id: '1' };
let core: RunningServer;
let bff: RunningServer;

beforeAll(async () => {
  core = await listen(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    receivedCalls.push({ body: JSON.parse(Buffer.concat(chunks).toString()), headers: request.headers });
    response.writeHead(coreStatus, { 'Content-Type': 'application/json' }).end(JSON.stringify(coreResponse));
  });
  bff = await startBff(core.url, { webRoot: build.root });
});

beforeEach(() => {
  receivedCalls.length = 0;
});

afterAll(async () => {
  await bff.stop();
  await core.stop();
  build.remove();
});

const post = (fields: Record<string, string>, headers: Record<string, string> = {}, url = bff.url) =>
  fetch(`${url}/contact`, { method: 'POST', body: new URLSearchParams(fields), headers });

const setCoreResponse = (status: number, body: object) => {
  coreStatus = status;
  coreResponse = body;
};

test('after the core has stored a message, the contact page confirms it', async () => {
  setCoreResponse(201, { _id: '1' });
  const message = 'linha 1\r\nlinha 2';
  const response = await post({ ...TYPED_VALUES, message, extra: 'x' }, { 'X-Forwarded-For': '203.0.113.9' });
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-security-policy')).toContain("'sha256-");
  const html = await response.text();
  expect(html).toContain('<div id="contact-answer" data-state="success">Mensagem enviada com sucesso!</div>');
  expect(html).not.toContain('linha 1');
  expect(receivedCalls[0]?.body).toEqual({ ...TYPED_VALUES, message: 'linha 1\nlinha 2' });
  expect(receivedCalls[0]?.headers['x-forwarded-for']).toBe('203.0.113.9');
});

test('after the core has refused a message, the contact page shows the typed values, escaped', async () => {
  setCoreResponse(400, { error: 'Por favor, preencha <todos> os campos', fields: { email: 'E-mail inválido.' } });
  const response = await post(TYPED_VALUES);
  expect(response.status).toBe(400);
  const html = await response.text();
  expect(html).toContain('data-state="error">Por favor, preencha &lt;todos&gt; os campos</div>');
  expect(html).toContain('name="name" class="a" value="Zé &quot;Bala&quot; &lt;b&gt;"/>');
  expect(html).toContain('value="ze@example.com&quot; autofocus onfocus=&quot;alert(1)"/>');
  expect(html).toContain(
    'class="b">\n\nolá &lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;\n$&amp; $1</textarea>',
  );
  expect(html.match(/<script/g)).toHaveLength(3);
});

test.each([
  [429, { error: 'Muitas mensagens.' }, 429, 'Muitas mensagens.'],
  [500, { error: 'interno: senha=1' }, 503, 'Ocorreu um erro ao enviar a mensagem.'],
  [503, {}, 503, 'Ocorreu um erro ao enviar a mensagem.'],
])(
  'an error %s of the core with the body %j is shown as status %s with the text: %s',
  async (status, body, expectedStatus, message) => {
    setCoreResponse(status, body);
    const response = await post(TYPED_VALUES);
    expect(response.status).toBe(expectedStatus);
    const html = await response.text();
    expect(html).toContain(`data-state="error">${message}</div>`);
    expect(html).toContain('Zé &quot;Bala&quot;');
  },
);

test('without a core, the contact page shows an error and keeps the typed values', async () => {
  const bffWithoutCore = await startBff('http://127.0.0.1:1', { webRoot: build.root });
  const response = await post(TYPED_VALUES, {}, bffWithoutCore.url);
  expect(response.status).toBe(503);
  const html = await response.text();
  expect(html).toContain('data-state="error">Ocorreu um erro ao enviar a mensagem.</div>');
  expect(html).toContain('Zé &quot;Bala&quot;');
  await bffWithoutCore.stop();
});

test.each(['cross-site', 'same-site'])(
  'a contact form that a browser sends with Sec-Fetch-Site: %s is refused',
  async (site) => {
    const response = await post(TYPED_VALUES, { 'Sec-Fetch-Site': site });
    expect(response.status).toBe(403);
    expect(receivedCalls).toHaveLength(0);
  },
);

test('contact fields that are not text count as empty', async () => {
  setCoreResponse(400, { error: 'Por favor, preencha todos os campos' });
  const response = await fetch(`${bff.url}/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'name=a&name=b&__proto__=x&email[a]=b',
  });
  expect(response.status).toBe(400);
  expect(receivedCalls[0]?.body).toEqual({ name: '', email: '', contactInfo: '', message: '', website: '' });
});

test('a contact form of 70 KB is refused with a JSON error', async () => {
  const response = await post({ ...TYPED_VALUES, message: 'a'.repeat(70_000) });
  expect(response.status).toBe(413);
  expect(await response.json()).toEqual({ error: 'Requisição grande demais.' });
});
