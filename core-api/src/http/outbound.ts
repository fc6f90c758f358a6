import { lookup as resolve } from 'node:dns';
import { isForbiddenAddress } from '../rules/address';
import { isOwnAddress, targetFault } from '../rules/own-address';
import { outboundMessages as messages } from './outbound.messages';

/** Without a byte for this long the other side is given up. */
const IDLE_MS = 5_000;
/** For one document in all, however many addresses are tried. */
const DEADLINE_MS = 20_000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_REDIRECTS = 3;

/** Why an address that an administrator configured gave no document; a sentence for the screen. */
export class OutboundError extends Error {}

/** Loaded with the first document: no start waits for it. */
async function openAgents() {
  const { Agent, fetch } = await import('undici');
  /**
   * Connects only to addresses that may be a target, looked at when the name is resolved for the connection itself: a name
   * that changes its address between a check and the connection gains nothing.
   */
  const guarded = (isRefused: (address: string) => boolean) =>
    new Agent({
      connect: {
        timeout: IDLE_MS,
        lookup(hostname, options, callback) {
          resolve(hostname, { ...options, all: true }, (error, addresses) => {
            if (error) return callback(error, [], 0);
            const allowed = addresses.filter(({ address }) => !isRefused(address));
            const [first] = allowed;
            if (!first) return callback(new OutboundError(messages.forbidden), [], 0);
            return options.all ? callback(null, allowed, 0) : callback(null, first.address, first.family);
          });
        },
      },
      headersTimeout: IDLE_MS,
      bodyTimeout: IDLE_MS,
      maxResponseSize: MAX_BYTES,
    });
  return {
    fetch,
    agent: guarded(isForbiddenAddress),
    /** For this installation's own ports (contract §7): those of other machines alone. */
    agentElsewhere: guarded((address) => isForbiddenAddress(address) || isOwnAddress(address)),
  };
}
let opened: ReturnType<typeof openAgents> | undefined;

export interface FetchedDocument {
  status: number;
  body: Buffer;
}

/** A signal that ends what is being fetched after 20 s in all. */
export const outboundDeadline = (): AbortSignal => AbortSignal.timeout(DEADLINE_MS);

/**
 * @param ownPorts of this installation, which are no target on this machine
 * @throws OutboundError after the deadline, 5 s of silence, 16 MB, a redirect to another host, a forbidden address or a failed connection
 */
export async function fetchDocument(
  address: string,
  ownPorts: readonly number[],
  signal: AbortSignal,
): Promise<FetchedDocument> {
  try {
    return await follow(new URL(address), ownPorts, signal, MAX_REDIRECTS);
  } catch (error) {
    throw error instanceof OutboundError ? error : new OutboundError(reasonOf(error, signal), { cause: error });
  }
}

async function follow(
  url: URL,
  ownPorts: readonly number[],
  signal: AbortSignal,
  redirects: number,
): Promise<FetchedDocument> {
  const bare = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  if (targetFault(bare, port, ownPorts)) throw new OutboundError(messages.forbidden);
  opened ??= openAgents();
  const { fetch, agent, agentElsewhere } = await opened;
  const response = await fetch(url, {
    dispatcher: ownPorts.includes(port) ? agentElsewhere : agent,
    redirect: 'manual',
    signal,
    headers: { Accept: 'application/json' },
  });
  const location = response.headers.get('location');
  if (response.status >= 300 && response.status < 400 && location) {
    await response.body?.cancel();
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    const allowed = next?.host === url.host && [url.protocol, 'https:'].includes(next.protocol);
    if (!next || !allowed || redirects === 0) {
      throw new OutboundError(messages.redirect);
    }
    return follow(next, ownPorts, signal, redirects - 1);
  }
  return { status: response.status, body: await readBytes(response.body) };
}

/** Counts what was unpacked, so that a compressed bomb ends here too. */
async function readBytes(body: AsyncIterable<Uint8Array> | null): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new OutboundError(messages.tooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const SILENT = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return messages.timeout;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof OutboundError) return cause.message;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return messages.tooLarge;
  if (SILENT.has(code)) return messages.silent;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return messages.unknownName;
  return messages.unreachable;
}
