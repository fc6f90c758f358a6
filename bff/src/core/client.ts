import { GraphQLError } from 'graphql';
import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { fetch } from 'undici';
import type { CallSpan, CallTrace } from '../tracing';
import { createNotFoundError, createTooLongError, createUnavailableError, toGraphError } from './errors';
import type { components, paths } from './generated/rest';

export type Core = Client<paths>;

/** The REST types, for resolvers whose GraphQL types differ from them. */
export type RestPaths = paths;
export type RestSchemas = components['schemas'];

/** The parts of a request to the BFF that calls to the core need. */
export interface Caller {
  authorization: string | undefined;
  requestId: string;
  trace: CallTrace;
  clientAddress: string;
  /** Aborted when the browser disconnects before it has the complete response. */
  disconnected: AbortSignal;
}

const TIMEOUT_MS = 8_000;

/** Time-outs of calls in which the core waits for another server or writes thousands of rows. */
const timeoutsMs: Partial<Record<keyof paths, number>> = {
  '/ai/suggest': 18_000,
  '/gateway/admin/routes/import': 30_000,
  '/gateway/admin/services/{id}/manifest/reading': 30_000,
  '/gateway/admin/test': 18_000,
  '/integrations/ai/test': 18_000,
  '/integrations/email/test': 18_000,
  '/settings/test': 18_000,
  '/subdomains/test': 30_000,
  '/subdomains/{subdomain}/check': 30_000,
  '/subdomains/{subdomain}/domains': 30_000,
  '/tenants/{id}/check': 30_000,
  '/tenants/{id}/domain': 30_000,
  '/tenants/{id}/domains': 30_000,
  // The core waits up to 60 s for machines that lack the version, and then for the edges.
  '/versions/{id}/activate': 90_000,
};

/** Returns the `If-Match` header for a version of an entity, or no header if no version is given. */
export const ifMatch = (version: number | null | undefined): { 'If-Match'?: string } =>
  typeof version === 'number' ? { 'If-Match': `"${version}"` } : {};

/** An id in a path. `..` must not match: `encodeURIComponent` keeps it, so the call would address another path. */
const SAFE_SEGMENT = /^[A-Za-z0-9_-]{1,64}$/;

/** A domain or a wildcard domain. Its first label begins with a letter or a digit, so `..` does not match. */
const SAFE_DOMAIN = /^(?:\*\.)?[\p{L}\p{N}][\p{L}\p{M}\p{N}.-]{0,252}$/u;
const isSafe = (name: string, value: unknown): boolean =>
  (name === 'host' ? SAFE_DOMAIN : SAFE_SEGMENT).test(String(value));

/**
 * Keeps the abort signal of each call, and the sources of that signal, in memory. A signal that only the `Request`
 * holds may be garbage-collected before the response is complete.
 */
const abortSignals = new WeakMap<Request, { signal: AbortSignal; sources: AbortSignal[] }>();

/** Half of the 16 KB of a request's head. Node refuses a longer head with a response that no screen can show. */
const MAX_URL_LENGTH = 8_000;

/**
 * Refuses long URLs, and path parameters that would address another path. Sets the time-out of each call. A GET is also
 * aborted when the browser disconnects, so that repeated requests do not pile up in the core.
 */
const checkAndLimitCalls = (disconnected: AbortSignal): Middleware => ({
  onRequest({ request, params, schemaPath }) {
    if (!Object.entries(params.path ?? {}).every(([name, value]) => isSafe(name, value))) throw createNotFoundError();
    if (request.url.length > MAX_URL_LENGTH) throw createTooLongError();
    const timeout = AbortSignal.timeout(timeoutsMs[schemaPath as keyof paths] ?? TIMEOUT_MS);
    const sources = request.method === 'GET' ? [timeout, disconnected] : [timeout];
    abortSignals.set(request, { signal: AbortSignal.any(sources), sources });
  },
});

const RETRY_DELAY_MS = 100;

/**
 * Sends a call. A GET without a response is repeated once, because the core may have closed the keep-alive connection
 * just before it. A write is never repeated. The `fetch` is undici's, because Node 20's own `fetch` loses its time-out
 * in a garbage collection.
 */
async function send(request: Request): Promise<Response> {
  const { url, method, redirect } = request;
  const signal = abortSignals.get(request)?.signal;
  const body = request.body && (await request.text());
  const attempt = () => fetch(url, { method, redirect, headers: [...request.headers], body, signal });
  try {
    return await attempt();
  } catch (error) {
    if (method !== 'GET' || signal?.aborted) throw error;
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    return attempt();
  }
}

/** Opens a span for each call. This span is the parent of the core's span. */
function traceCalls(trace: CallTrace): Middleware {
  const calls = new Map<string, CallSpan>();
  const end = (id: string, status?: number) => {
    calls.get(id)?.end(status);
    calls.delete(id);
  };
  return {
    onRequest({ request, schemaPath, id }) {
      const call = trace.beginCall(`${request.method} ${schemaPath}`, request.method);
      calls.set(id, call);
      request.headers.set('traceparent', call.traceparent);
    },
    onResponse: ({ response, id }) => end(id, response.status),
    onError: ({ id }) => end(id),
  };
}

/** A client of the REST core for one request of one caller; nothing is shared between callers. */
export function createCoreClient(coreUrl: string, caller: Caller): Core {
  const core = createClient<paths>({
    baseUrl: `${coreUrl}/api`,
    fetch: send,
    redirect: 'error',
    headers: {
      ...(caller.authorization && { Authorization: caller.authorization }),
      'X-Request-Id': caller.requestId,
      'X-Forwarded-For': caller.clientAddress,
    },
  });
  core.use(checkAndLimitCalls(caller.disconnected), traceCalls(caller.trace));
  return core;
}

type PendingResponse<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>;

/** Resolves to the body of a 2xx response, or to undefined if the body is empty. */
async function awaitBody<Data>(call: PendingResponse<Data>): Promise<Data | undefined> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw cause instanceof GraphQLError ? cause : createUnavailableError(cause);
  });
  if (!response.ok) throw toGraphError(response, error);
  return data;
}

/** The body of a REST response. @throws GraphQLError (`toGraphError`) */
export async function unwrap<Data>(call: PendingResponse<Data>): Promise<Data> {
  const data = await awaitBody(call);
  if (data === undefined) throw createUnavailableError(new Error('core responded without a body'));
  return data;
}

/** The rows of a REST page, and the number of all rows. @throws GraphQLError (`toGraphError`) */
export async function unwrapPage<Row>(call: PendingResponse<Row[]>): Promise<{ rows: Row[]; total: number }> {
  const rows = await unwrap(call);
  const { response } = await call;
  return { rows, total: Number(response.headers.get('X-Total-Count') ?? rows.length) };
}

/** The body of a REST response, or null for a 404. @throws GraphQLError (`toGraphError`) */
export const unwrapOrNull = <Data>(call: PendingResponse<Data>): Promise<Data | null> =>
  unwrap(call).catch((error: unknown) => {
    if (error instanceof GraphQLError && error.extensions.code === 'NOT_FOUND') return null;
    throw error;
  });

/** True once a call has succeeded. A body of the response is ignored. @throws GraphQLError (`toGraphError`) */
export async function unwrapVoid(call: PendingResponse<unknown>): Promise<true> {
  await awaitBody(call);
  return true;
}
