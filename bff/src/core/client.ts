import { GraphQLError } from 'graphql';
import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { fromRest, notFound, unavailable } from './errors';
import type { paths } from './generated/rest';

export type Core = Client<paths>;

/** What of the browser's request the core gets to see; nothing else is forwarded. */
export interface Caller {
  authorization: string | undefined;
  requestId: string;
  traceparent: string;
  clientAddress: string;
}

const DEADLINE = 5_000;

/** Calls in which the core itself waits for an outside party, in milliseconds; all others have `DEADLINE`. */
const patience: Record<string, number> = {
  '/ai/suggest': 18_000,
  '/gateway/admin/services/{id}/manifest': 18_000,
  '/settings/test': 18_000,
  '/tenants/{id}/domain': 10_000,
};

/** `encodeURIComponent('..')` is still `..`, and would climb to another call; ids and labels need none of this. */
const SAFE_SEGMENT = /^[A-Za-z0-9_-]{1,64}$/;

const perHop: Middleware = {
  onRequest({ request, params, schemaPath }) {
    if (!Object.values(params.path ?? {}).every((value) => SAFE_SEGMENT.test(String(value)))) throw notFound();
    return new Request(request, { signal: AbortSignal.timeout(patience[schemaPath] ?? DEADLINE) });
  },
};

const CONNECT_ERRORS = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** `fetch` wraps what the connection said into the cause of its own error. */
const neverConnected = (error: unknown): boolean => {
  const cause = typeof error === 'object' && error !== null && 'cause' in error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'code' in cause && CONNECT_ERRORS.has(String(cause.code));
};

/** `fetch`, with one more attempt of a GET that never reached the core. Writes are never repeated. */
async function fetchOrRetry(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.method !== 'GET' || !neverConnected(error) || request.signal.aborted) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return fetch(request);
  }
}

/** A client of the REST core for one request of one caller: nothing is shared, so nobody gets another's answer. */
export function createCore(coreUrl: string, caller: Caller): Core {
  const core = createClient<paths>({
    baseUrl: `${coreUrl}/api`,
    fetch: fetchOrRetry,
    redirect: 'error',
    headers: {
      ...(caller.authorization && { Authorization: caller.authorization }),
      'X-Request-Id': caller.requestId,
      traceparent: caller.traceparent,
      'X-Forwarded-For': caller.clientAddress,
    },
  });
  core.use(perHop);
  return core;
}

type Call<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>;

async function settle<Data>(call: Call<Data>): Promise<Data | undefined> {
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
export async function answer<Data>(call: Call<Data>): Promise<Data> {
  const data = await settle(call);
  if (data === undefined) throw unavailable(new Error('core answered without a body'));
  return data;
}

/**
 * True once a call without a body (204) has succeeded.
 * @throws GraphQLError as `core/errors.ts` translates it
 */
export async function done(call: Call<unknown>): Promise<true> {
  await settle(call);
  return true;
}
