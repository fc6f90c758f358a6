import { lookup as resolve } from 'node:dns';
import { Agent, fetch } from 'undici';
import { isForbiddenAddress } from '../rules/address';
import { outboundMessages as messages } from './outbound.messages';

const DEADLINE = 5_000;
const LARGEST = 1024 * 1024;
const MOST_REDIRECTS = 3;

/** Why an address that an administrator configured gave no document; a sentence for the screen. */
export class OutboundError extends Error {}

/**
 * Connects only to addresses that may be a target, looked at when the name is resolved for the connection itself: a name
 * that changes its address between a check and the connection gains nothing.
 */
const guarded = new Agent({
  connect: {
    timeout: DEADLINE,
    lookup(hostname, options, callback) {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, [], 0);
        const allowed = addresses.filter(({ address }) => !isForbiddenAddress(address));
        const [first] = allowed;
        if (!first) return callback(new OutboundError(messages.forbidden), [], 0);
        return options.all ? callback(null, allowed, 0) : callback(null, first.address, first.family);
      });
    },
  },
  maxResponseSize: LARGEST,
});

export interface FetchedDocument {
  status: number;
  text: string;
}

/** A signal that ends what is being fetched after 5 s in all (contract §3). */
export const outboundDeadline = (): AbortSignal => AbortSignal.timeout(DEADLINE);

/** @throws OutboundError after the deadline, 1 MB, a redirect to another host, a forbidden address or a failed connection */
export async function fetchDocument(address: string, signal: AbortSignal): Promise<FetchedDocument> {
  try {
    return await follow(new URL(address), signal, MOST_REDIRECTS);
  } catch (error) {
    throw error instanceof OutboundError ? error : new OutboundError(reasonOf(error, signal), { cause: error });
  }
}

async function follow(url: URL, signal: AbortSignal, redirects: number): Promise<FetchedDocument> {
  const bare = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isForbiddenAddress(bare)) throw new OutboundError(messages.forbidden);
  const response = await fetch(url, {
    dispatcher: guarded,
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
    return follow(next, signal, redirects - 1);
  }
  return { status: response.status, text: await readText(response.body) };
}

/** Counts what was unpacked, so that a compressed bomb ends here too. */
async function readText(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > LARGEST) throw new OutboundError(messages.tooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return messages.timeout;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof OutboundError) return cause.message;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return messages.tooLarge;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return messages.unknownName;
  return messages.unreachable;
}
