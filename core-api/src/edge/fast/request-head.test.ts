import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import { createDamage } from '../../testing/damage';
import { fieldLines, readRequestFields, readRequestHead } from './request-head';

/** What the other reader, Node's, made of a request. */
interface Verdict {
  method: string | undefined;
  url: string | undefined;
  fields: [string, string][];
  body: string;
}

let server: Server;
let port = 0;
let onRequest: (request: IncomingMessage) => void = () => undefined;

beforeAll(async () => {
  server = createServer({ requireHostHeader: false, maxHeaderSize: 32 * 1024 }, (request, response) => {
    onRequest(request);
    response.end();
  });
  server.maxHeadersCount = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** Nothing when Node refuses the bytes. */
const nodesVerdict = (bytes: Buffer) =>
  new Promise<Verdict | undefined>((resolve) => {
    onRequest = (request) => {
      const { method, url, rawHeaders } = request;
      const fields = rawHeaders.flatMap((name, index): [string, string][] =>
        index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? '']] : [],
      );
      request.setEncoding('latin1');
      let body = '';
      request.on('data', (piece: string) => {
        body += piece;
      });
      request.on('end', () => resolve({ method, url, fields, body }));
    };
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.on('data', () => undefined).on('error', () => socket.destroy());
    socket.on('close', () => resolve(undefined));
  });

function ourVerdict(bytes: Buffer): Verdict | undefined {
  const text = bytes.toString('latin1');
  const head = readRequestHead(text);
  const fields = head && readRequestFields(head.block);
  if (!head || !fields) return undefined;
  const lines = fieldLines(head.block) ?? [];
  return {
    method: head.method,
    url: head.target,
    fields: lines.map(({ name, value }) => [name, value]),
    body: text.slice(head.size, head.size + fields.contentLength),
  };
}

test('whatever the short way accepts, however damaged, Node reads in the same way', async () => {
  const { damaged } = createDamage();
  const bases = [
    'GET /a/b?c=%20 HTTP/1.1\r\nHost: api.localhost\r\nX-API-Key: sk7_abc\r\nAccept: */*\r\n\r\n',
    'POST /a HTTP/1.1\r\nHost: api.localhost:80\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\nhello',
    'PUT /x;y HTTP/1.1\r\nHost: h\r\nX-Empty:\r\nX-Twice:  a \r\nX-Twice: b\t\r\nContent-Length: 03\r\n\r\nabc',
  ].map((text) => Buffer.from(text, 'latin1'));
  let accepted = 0;
  for (let round = 0; round < 30_000; round += 1) {
    const bytes = damaged(bases);
    const ours = ourVerdict(bytes);
    if (!ours) continue;
    accepted += 1;
    expect({ bytes: bytes.toString('latin1'), ...(await nodesVerdict(bytes)) }).toEqual({
      bytes: bytes.toString('latin1'),
      ...ours,
    });
  }
  expect(accepted).toBeGreaterThan(1_000);
}, 60_000);
