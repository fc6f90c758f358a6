import { getErrorCode } from '../errors/error-details';
import { isForbiddenAddress } from '../net/address';
import { toAuthority } from '../net/authority';
import { createGuardedLookup, ForbiddenAddressError } from '../net/guarded-lookup';
import { findTargetRefusal, isOwnAddress } from '../net/own-address';
import { parseUrl } from '../net/parse-url';
import { outboundMessages as messages } from './outbound.messages';

const IDLE_MS = 5_000;
/** Time limit for one document, redirects included, ms. */
const DEADLINE_MS = 20_000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_REDIRECTS = 3;

/** Thrown if a document could not be fetched or posted. The message is shown to the user. */
export class OutboundError extends Error {}

/** undici is loaded with the first document, so that the start of the core does not wait for it. */
async function openAgents() {
  const { Agent, fetch, request } = await import('undici');
  const createAgent = (isAllowed: (address: string) => boolean) =>
    new Agent({
      connect: { timeout: IDLE_MS, lookup: createGuardedLookup(isAllowed) },
      headersTimeout: IDLE_MS,
      bodyTimeout: IDLE_MS,
      maxResponseSize: MAX_BYTES,
    });
  return {
    fetch,
    request,
    agent: createAgent((address) => !isForbiddenAddress(address)),
    /** Agent for URLs with a port of this installation. Such URLs may lead to other machines only (contract §4). */
    agentForOtherMachines: createAgent((address) => !isForbiddenAddress(address) && !isOwnAddress(address)),
  };
}
let agents: ReturnType<typeof openAgents> | undefined;

export interface FetchedDocument {
  status: number;
  body: Buffer;
}

/** Creates a signal that aborts a fetch after 20 s. */
export const createOutboundDeadline = (): AbortSignal => AbortSignal.timeout(DEADLINE_MS);

/**
 * Fetches a document from an administrator's URL.
 * @param ownPorts ports of this installation, which are not allowed on this machine
 * @throws OutboundError after the deadline, 5 s of silence or 16 MB; for a redirect to another host, a forbidden address
 * or a failed connection
 */
export async function fetchDocument(
  documentUrl: string,
  ownPorts: readonly number[],
  signal: AbortSignal,
): Promise<FetchedDocument> {
  try {
    return await fetchWithRedirects(new URL(documentUrl), ownPorts, signal, MAX_REDIRECTS);
  } catch (error) {
    throw error instanceof OutboundError ? error : new OutboundError(toReason(error, signal), { cause: error });
  }
}

/** Time limit for the delivery of one document, ms. */
const DELIVERY_MS = 15_000;

/**
 * Posts a document to an administrator's URL, with the same checks as `fetchDocument` and without redirects.
 * @returns the status of the response
 * @throws OutboundError after 15 s, for a forbidden address or a failed connection
 */
export async function postDocument(
  documentUrl: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  ownPorts: readonly number[],
): Promise<number> {
  const url = new URL(documentUrl);
  const signal = AbortSignal.timeout(DELIVERY_MS);
  try {
    const { request, dispatcher } = await chooseDispatcher(url, ownPorts);
    const options = { method: 'POST', headers, body, dispatcher, signal, headersTimeout: DELIVERY_MS } as const;
    const response = await request(url, options);
    // Only the status is needed, so an error of the body is ignored.
    await response.body.dump().catch(() => undefined);
    return response.statusCode;
  } catch (error) {
    throw error instanceof OutboundError ? error : new OutboundError(toReason(error, signal), { cause: error });
  }
}

/** Chooses the agent for a URL. @throws OutboundError for a forbidden address */
async function chooseDispatcher(url: URL, ownPorts: readonly number[]) {
  const { host, port } = toAuthority(url);
  if (findTargetRefusal(host, port, ownPorts)) throw new OutboundError(messages.forbidden);
  agents ??= openAgents();
  const { agent, agentForOtherMachines, ...calls } = await agents;
  return { ...calls, dispatcher: ownPorts.includes(port) ? agentForOtherMachines : agent };
}

async function fetchWithRedirects(
  url: URL,
  ownPorts: readonly number[],
  signal: AbortSignal,
  redirectsLeft: number,
): Promise<FetchedDocument> {
  const { fetch, dispatcher } = await chooseDispatcher(url, ownPorts);
  const headers = { Accept: 'application/json' };
  const response = await fetch(url, { dispatcher, redirect: 'manual', signal, headers });
  const location = response.headers.get('location');
  if (response.status >= 300 && response.status < 400 && location) {
    await response.body?.cancel();
    const nextUrl = parseUrl(location, url.href);
    const isAllowed = nextUrl?.host === url.host && [url.protocol, 'https:'].includes(nextUrl.protocol);
    if (!nextUrl || !isAllowed || redirectsLeft === 0) throw new OutboundError(messages.redirect);
    return fetchWithRedirects(nextUrl, ownPorts, signal, redirectsLeft - 1);
  }
  return { status: response.status, body: await readBytes(response.body) };
}

/** Reads the bytes of a body. Decompressed bytes are counted, so that a decompression bomb is refused too. */
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

const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

function toReason(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return messages.timeout;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof ForbiddenAddressError) return messages.forbidden;
  const code = getErrorCode(cause);
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return messages.tooLarge;
  if (TIMEOUT_CODES.has(code)) return messages.silent;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return messages.unknownName;
  return messages.unreachable;
}
