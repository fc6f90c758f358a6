import { GraphQLError } from 'graphql';
import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { fetch } from 'undici';
import type { CallSpan, CallTrace } from '../tracing';
import { fromRest, notFound, unavailable } from './errors';
import type { paths } from './generated/rest';

export type Core = Client<paths>;

/** The parts of the browser's request that are forwarded to the core. */
export interface Caller {
  authorization: string | undefined;
  requestId: string;
  trace: CallTrace;
  clientAddress: string;
}

const TIMEOUT_MS = 8_000;

/** Timeouts of calls in which the core waits for another server or writes thousands of rows; others have `TIMEOUT_MS`. */
const timeoutsMs: Record<string, number> = {
  '/ai/suggest': 18_000,
  '/gateway/admin/routes/import': 30_000,
  '/gateway/admin/services/{id}/manifest/reading': 30_000,
  '/gateway/admin/test': 18_000,
  '/integrations/ai/test': 18_000,
  '/integrations/email/test': 18_000,
  '/settings/test': 18_000,
  '/subdomains/test': 30_000,
  '/subdomains/{subdomain}/check': 30_000,
  '/tenants/{id}/check': 30_000,
  '/tenants/{id}/domain': 30_000,
};

/** The `If-Match` header of a change to this version; none without a version. */
export const ifMatch = (version: number | null | undefined): { 'If-Match'?: string } =>
  typeof version === 'number' ? { 'If-Match': `"${version}"` } : {};

/** `encodeURIComponent('..')` is still `..`, and would lead to another path. */
const SAFE_SEGMENT = /^[A-Za-z0-9_-]{1,64}$/;

/** Of each call, outside its `Request`: a signal in there can be garbage-collected before the answer has come whole. */
const deadlines = new WeakMap<Request, AbortSignal>();

/** Refuses path parameters that would lead to another call, and limits the time of each call. */
const middleware: Middleware = {
  onRequest({ request, params, schemaPath }) {
    if (!Object.values(params.path ?? {}).every((value) => SAFE_SEGMENT.test(String(value)))) throw notFound();
    deadlines.set(request, AbortSignal.timeout(timeoutsMs[schemaPath] ?? TIMEOUT_MS));
  },
};

const RETRY_DELAY_MS = 100;

const CONNECT_ERRORS = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** `fetch` rejects with an error of its own whose `cause` is the connection's. */
const neverConnected = (error: unknown): boolean => {
  const cause = typeof error === 'object' && error !== null && 'cause' in error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'code' in cause && CONNECT_ERRORS.has(String(cause.code));
};

/**
 * Sends a call, with one more attempt of a GET that never reached the core; writes are never repeated. By undici's own
 * `fetch`: the one of Node 20 forgets the deadline of an answer that stays away when memory is tidied up meanwhile.
 */
async function send(request: Request): Promise<Response> {
  const { url, method, redirect } = request;
  const signal = deadlines.get(request);
  const body = request.body && (await request.text());
  const attempt = () => fetch(url, { method, redirect, headers: [...request.headers], body, signal });
  try {
    return await attempt();
  } catch (error) {
    if (method !== 'GET' || !neverConnected(error) || signal?.aborted) throw error;
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    return attempt();
  }
}

/** A span for each call, which is the parent of the core's. */
function traced(trace: CallTrace): Middleware {
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
export function createCore(coreUrl: string, caller: Caller): Core {
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
  core.use(middleware, traced(caller.trace));
  return core;
}

type Call<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>;

/** Resolves to the body of a 2xx, undefined for an empty one. */
async function unwrap<Data>(call: Call<Data>): Promise<Data | undefined> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw cause instanceof GraphQLError ? cause : unavailable(cause);
  });
  if (!response.ok) throw fromRest(response, error);
  return data;
}

/**
 * The body of a REST answer.
 * @throws GraphQLError as `core/errors.ts` translates it
 */
export async function bodyOf<Data>(call: Call<Data>): Promise<Data> {
  const data = await unwrap(call);
  if (data === undefined) throw unavailable(new Error('core answered without a body'));
  return data;
}

/**
 * True once a call without a body (204) has succeeded.
 * @throws GraphQLError as `core/errors.ts` translates it
 */
export async function succeeded(call: Call<unknown>): Promise<true> {
  await unwrap(call);
  return true;
}
