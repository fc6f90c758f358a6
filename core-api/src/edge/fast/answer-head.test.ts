import { get } from 'node:http';
import { createServer, type Server } from 'node:net';
import { createDamage } from '../../testing/damage';
import { type AnswerHead, readAnswerHead } from './answer-head';
import { Chunks } from './chunks';
import { fieldLines } from './request-head';

/** What a reader made of an answer. */
interface Verdict {
  status: number | undefined;
  /** Those that are for the client. */
  fields: [string, string][];
  /** Where the body's end is known from the start. */
  body: string;
}

let server: Server;
let port = 0;
let answer: Buffer = Buffer.alloc(0);

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => server.close());

/** Nothing when Node refuses the bytes. */
const nodesVerdict = (names: Set<string>) =>
  new Promise<Verdict | undefined>((resolve) => {
    const sent = get({ port, agent: false }, (received) => {
      const { statusCode, rawHeaders } = received;
      const fields = rawHeaders.flatMap((name, index): [string, string][] =>
        index % 2 === 0 && names.has(name.toLowerCase()) ? [[name.toLowerCase(), rawHeaders[index + 1] ?? '']] : [],
      );
      received.setEncoding('latin1');
      let body = '';
      received.on('data', (piece: string) => {
        body += piece;
      });
      received.on('error', () => undefined);
      received.on('close', () => resolve({ status: statusCode, fields, body }));
    });
    sent.on('error', () => resolve(undefined));
  });

/** Nothing for one that ends with the connection, is broken, or goes on after its end. */
function bodyOf(bytes: Buffer, start: number, framing: AnswerHead['framing']): string | undefined {
  if (framing === 'close') return undefined;
  if (framing !== 'chunked') return bytes.length > start + framing ? undefined : bytes.toString('latin1', start);
  let body = '';
  const end = new Chunks().read(bytes, start, (piece) => {
    body += piece.toString('latin1');
  });
  return end === bytes.length ? body : undefined;
}

function ourVerdict(bytes: Buffer): Verdict | undefined {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? undefined : readAnswerHead(text.slice(0, end));
  const body = head && head.status >= 200 ? bodyOf(bytes, end + 4, head.framing) : undefined;
  if (!head || body === undefined) return undefined;
  const lines = fieldLines(head.lines.slice(head.lines.indexOf('\r\n') + 2)) ?? [];
  return {
    status: head.status,
    fields: lines.map(({ name, value }) => [name, value]),
    body,
  };
}

test('whatever is accepted of an upstream, however damaged, Node reads in the same way', async () => {
  const { damaged } = createDamage();
  const bases = [
    'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nKeep-Alive: timeout=5\r\n\r\nhello',
    'HTTP/1.1 404 Not Found\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 03\r\nX-Empty:\r\n\r\nabc',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n00c\r\nhello, world\r\n0\r\nX-T: t\r\n\r\n',
    'HTTP/1.0 200 OK\r\nContent-Length:  2 \r\nConnection: keep-alive\r\nX-Tail: a\t\r\n\r\nok',
  ].map((text) => Buffer.from(text, 'latin1'));
  let accepted = 0;
  for (let round = 0; round < 60_000; round += 1) {
    answer = damaged(bases);
    const ours = ourVerdict(answer);
    if (!ours) continue;
    accepted += 1;
    const bytes = answer.toString('latin1');
    const nodes = await nodesVerdict(new Set(ours.fields.map(([name]) => name)));
    expect({ bytes, ...nodes }).toEqual({ bytes, ...ours });
  }
  expect(accepted).toBeGreaterThan(500);
}, 60_000);
