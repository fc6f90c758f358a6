import type { IncomingMessage } from 'node:http';

const MOST_HEADERS = 200;
const LONGEST_TARGET = 16 * 1024;

/**
 * What Node's parser lets through although two servers could read it differently, or that is too much.
 * @returns the status to refuse with, or nothing for a request that is fine
 */
export function refusalOf(request: IncomingMessage): 400 | 405 | 414 | 431 | undefined {
  if (request.rawHeaders.length > MOST_HEADERS * 2) return 431;
  if ((request.url ?? '').length > LONGEST_TARGET) return 414;
  if (request.method === 'TRACE' || request.method === 'CONNECT') return 405;
  const { 'transfer-encoding': codings = [], 'content-length': lengths = [] } = request.headersDistinct;
  if (lengths.length > 1 || (lengths.length === 1 && codings.length > 0)) return 400;
  if (codings.length === 0) return undefined;
  const chunkedAlone = codings.length === 1 && codings[0]?.trim().toLowerCase() === 'chunked';
  return chunkedAlone && request.httpVersionMinor > 0 ? undefined : 400;
}
