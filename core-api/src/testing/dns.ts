import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Answer, decode, encode } from 'dns-packet';

/** DNS records by type and name. A key is for example `TXT _studio-proof.cliente.com.br`. */
export type Records = Record<string, string[] | 'SERVFAIL'>;

const NOERROR = 0;
const SERVFAIL = 2;
const NXDOMAIN = 3;

/** Starts a DNS server on a free loopback port. The server reads `records` at each query. */
export async function startDns(records: Records) {
  const queries: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (bytes, from) => {
    const { id, questions = [] } = decode(bytes);
    const [{ name, type } = { name: '', type: 'A' as const }] = questions;
    const key = `${type} ${name.toLowerCase()}`;
    queries.push(key);
    const record = records[key];
    const isKnown = Object.keys(records).some((recordKey) => recordKey.endsWith(` ${name.toLowerCase()}`));
    const codeOfName = isKnown ? NOERROR : NXDOMAIN;
    const code = record === 'SERVFAIL' ? SERVFAIL : codeOfName;
    const answers = (Array.isArray(record) ? record : []).map(
      (data): Answer => ({ type: toRecordType(type), name, ttl: 1, data }),
    );
    // The low bits of the flags are the response code.
    socket.send(encode({ type: 'response', id, flags: code, questions, answers }), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    stop: () => new Promise<void>((done) => socket.close(done)),
  };
}

const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'TXT'] as const;
const toRecordType = (type: string): (typeof RECORD_TYPES)[number] => RECORD_TYPES.find((name) => name === type) ?? 'A';
