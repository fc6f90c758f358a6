import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientRequest, createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { request } from 'node:https';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createCertificateAuthority } from '../../core-api/src/testing/certificates';
import { findFreePort, Program, ROOT, waitFor } from '../testing/program';
import { listenOnLoopback } from '../testing/server';
import { Stack } from '../testing/stack';

const NGINX = '/usr/sbin/nginx';
const readDeployFile = (name: string) => readFileSync(join(ROOT, 'scripts/deploy', name), 'utf8');

let folder: string;
let stack: Stack;
let proxy: Program;
let site: Server;
let port: number;
const TEXT = 'A text that compresses well. '.repeat(200);
/**
 * Creates a site that responds with the headers of the request. The site also sends X-Accel fields, which could make nginx
 * serve another file.
 */
const createSite = () =>
  createServer(({ url, headers }, response) => {
    if (url === '/text') {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(TEXT);
      return;
    }
    if (url === '/events') {
      // This stream never ends.
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: first\n\n');
      return;
    }
    response.writeHead(200, { 'X-Accel-Redirect': '/internal', 'X-Accel-Limit-Rate': '1' });
    response.end(JSON.stringify(headers));
  });

/** Opens a request and sends only the first byte of its body. */
function startIncompleteUpload(): ClientRequest {
  const upload = request({
    port,
    host: '127.0.0.1',
    servername: 'loja.estudio.example',
    rejectUnauthorized: false,
    method: 'POST',
    headers: { Host: 'loja.estudio.example', 'Content-Length': '1000000' },
  });
  upload.on('error', () => undefined).write('x');
  return upload;
}

/** Writes a certificate for the sites. @returns the paths of the chain and of its key */
async function createCertificate(): Promise<{ chain: string; key: string }> {
  const [chain, key] = [join(folder, 'chain.pem'), join(folder, 'key.pem')];
  const issued = await (await createCertificateAuthority()).issue(['estudio.example', '*.estudio.example']);
  writeFileSync(chain, issued.cert);
  writeFileSync(key, issued.key, { mode: 0o600 });
  return { chain, key };
}

/** Starts nginx with the shipped files. @returns its port */
async function startNginx(socket: string): Promise<number> {
  const httpsPort = await findFreePort();
  const { chain, key } = await createCertificate();
  writeFileSync(join(folder, 'studio-edge.inc'), readDeployFile('nginx/studio-edge.inc'));
  const servers = readDeployFile('nginx/studio.conf')
    .replaceAll('/run/studio/edge.sock', socket)
    .replaceAll('/etc/nginx/studio-edge.inc', join(folder, 'studio-edge.inc'))
    .replaceAll('/etc/letsencrypt/live/estudio.example/fullchain.pem', chain)
    .replaceAll('/etc/letsencrypt/live/estudio.example/privkey.pem', key)
    .replaceAll(/listen \[::\].*\n/g, '')
    .replaceAll('listen 443', `listen 127.0.0.1:${httpsPort}`)
    .replaceAll('listen 80', `listen 127.0.0.1:${await findFreePort()}`);
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const configFile = join(folder, 'nginx.conf');
  writeFileSync(
    configFile,
    `user ${userInfo().username}; daemon off; error_log stderr; pid ${join(folder, 'pid')}; events {} http { access_log off; ${temporaryPaths.join(' ')} ${servers} }`,
  );
  proxy = new Program('nginx', ['-c', configFile], { command: NGINX, environment: {} });
  return httpsPort;
}

/** Starts Caddy with the shipped file, but without DNS plugin and certificates on demand. @returns its port */
async function startCaddy(socket: string): Promise<number> {
  const [httpsPort, httpPort] = [await findFreePort(), await findFreePort()];
  const { chain, key } = await createCertificate();
  const configFile = join(folder, 'Caddyfile');
  const caddyfile = readDeployFile('Caddyfile')
    .replaceAll('/run/studio/edge.sock', socket)
    .replace(
      /^\{\n[\s\S]*?\n\}\n/m,
      `{\n\tadmin off\n\tauto_https disable_redirects\n\thttps_port ${httpsPort}\n\thttp_port ${httpPort}\n}\n`,
    )
    .replace(/tls \{\n\t\tdns [\s\S]*?\n\t\}/, `tls ${chain} ${key}`)
    .replace(/^https:\/\/ \{[\s\S]*?\n\}\n/m, '');
  writeFileSync(configFile, caddyfile);
  const environment = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const args = ['run', '--adapter', 'caddyfile', '--config', configFile];
  proxy = new Program('caddy', args, { command: 'caddy', environment });
  return httpsPort;
}

/** The tests with Caddy run only if Caddy is installed. */
const hasCaddy = spawnSync('caddy', ['version']).status === 0;
const proxies: [name: string, start: (socket: string) => Promise<number>][] = [
  ['nginx', startNginx],
  ...(hasCaddy ? [['Caddy', startCaddy] satisfies (typeof proxies)[number]] : []),
];

const get = (host: string, path: string, headers: Record<string, string>) =>
  new Promise<{ status: number; body: string; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path, servername: host, rejectUnauthorized: false };
    request({ ...options, headers: { Host: host, ...headers } }, (response) => {
      let body = '';
      response.on('data', (piece) => {
        body += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }));
    })
      .once('error', reject)
      .end();
  });

describe.each(proxies)('with the files of the release for %s', (_name, start) => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'proxy-'));
    const socket = join(folder, 'edge.sock');
    stack = await Stack.start({
      processes: ['core', 'edge'],
      from: 'source',
      environment: { BASE_DOMAIN: 'estudio.example', EDGE_SOCKET: socket },
    });
    site = createSite();
    const sitePort = await listenOnLoopback(site);
    await stack.create('/subdomains', { subdomain: 'loja', description: 'x', type: 'proxy', port: sitePort });
    port = await start(socket);
    await waitFor('the proxy responds', () =>
      get('loja.estudio.example', '/', {}).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  });
  afterAll(async () => {
    await proxy?.end();
    await stack?.stop();
    site.closeAllConnections();
    site.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("the edge gets the client's real address, and no request id, trace or address that the client sends", async () => {
    const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { body } = await get('loja.estudio.example', '/', {
      'X-Request-Id': 'forged',
      traceparent: trace,
      tracestate: 'forged=1',
      'X-Forwarded-For': '203.0.113.9',
      'X-Forwarded-Proto': 'http',
    });
    const received = JSON.parse(body);
    // The client, and then the proxy: the edge counts a peer at its Unix socket as 127.0.0.1.
    expect(received).toMatchObject({ 'x-forwarded-for': '127.0.0.1, 127.0.0.1', 'x-forwarded-proto': 'https' });
    expect(received['x-request-id']).not.toBe('forged');
    expect(received.traceparent).not.toContain(trace.slice(3, 35)); // The id of the trace.
    expect(received.tracestate).toBeUndefined();
  });

  test('X-Accel fields of a site have no effect', async () => {
    const { status, body } = await get('loja.estudio.example', '/', {});
    expect(status).toBe(200);
    expect(JSON.parse(body).host).toBe('loja.estudio.example');
  });

  test('the path reaches the edge unchanged, so that the rules of the edge apply', async () => {
    expect((await get('api.estudio.example', '/pub/..%3B/admin', {})).status).toBe(400);
    expect((await get('api.estudio.example', '/pub//admin', {})).status).toBe(400);
  });

  const getBodyLength = async (headers: Record<string, string>) =>
    (await get('loja.estudio.example', '/text', headers)).body.length;

  test('a page is compressed only for a client that accepts gzip', async () => {
    const { headers } = await get('loja.estudio.example', '/text', { 'Accept-Encoding': 'gzip' });
    expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'Accept-Encoding']);
    expect(await getBodyLength({ 'Accept-Encoding': 'gzip' })).toBeLessThan(TEXT.length / 4);
    expect(await getBodyLength({})).toBe(TEXT.length);
  });

  test('an event of a stream arrives uncompressed and before the stream ends', async () => {
    const firstEvent = await new Promise<{ text: string; encoding: string | undefined }>((resolve, reject) => {
      const stream = request(
        {
          port,
          host: '127.0.0.1',
          path: '/events',
          servername: 'loja.estudio.example',
          rejectUnauthorized: false,
          headers: { Host: 'loja.estudio.example', Accept: 'text/event-stream', 'Accept-Encoding': 'gzip' },
        },
        (response) => {
          response.once('data', (piece) => {
            resolve({ text: String(piece), encoding: response.headers['content-encoding'] });
            stream.destroy();
          });
        },
      );
      stream.once('error', reject).end();
    });
    expect(firstEvent).toEqual({ text: 'data: first\n\n', encoding: undefined });
  });

  test('other requests are answered while a hundred requests with incomplete bodies are open', async () => {
    const uploads = Array.from({ length: 100 }, startIncompleteUpload);
    const responses = await Promise.all(Array.from({ length: 20 }, () => get('loja.estudio.example', '/text', {})));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    for (const upload of uploads) upload.destroy();
  });

  test('after a restart of the edge every request is answered, although the proxy kept its connections', async () => {
    await Promise.all(Array.from({ length: 20 }, () => get('loja.estudio.example', '/text', {})));
    await stack.kill('edge');
    await stack.start('edge');
    const responses = await Promise.all(Array.from({ length: 20 }, () => get('loja.estudio.example', '/text', {})));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
  });
});
