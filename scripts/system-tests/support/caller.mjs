/** Makes REST calls that return their status instead of throwing, and runs the writers of the system tests. */
import { ADMINISTRATOR } from '../../testing/harness.mjs';

/**
 * Creates functions that call the REST API as the first administrator.
 * @param {{ coreUrl: string }} stack
 * @param seconds time after which a call without a response ends with status 0
 */
export function createCaller(stack, seconds = 30) {
  let token = '';
  async function fetchStatus(url, options = {}) {
    const startedAt = performance.now();
    const measureMs = () => Math.round(performance.now() - startedAt);
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(seconds * 1000), ...options });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json');
      const body = isJson && text ? JSON.parse(text) : text;
      return { status: response.status, retryAfter: response.headers.get('retry-after'), body, ms: measureMs() };
    } catch {
      return { status: 0, retryAfter: null, body: undefined, ms: measureMs() };
    }
  }
  async function request(method, path, body) {
    return fetchStatus(`${stack.coreUrl}/api${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }
  return {
    fetchStatus,
    request,
    fetchReadiness: async () => fetchStatus(`${stack.coreUrl}/readyz`),
    async logIn() {
      const response = await request('POST', '/login', ADMINISTRATOR);
      if (response.status !== 200) throw new Error(`login: ${response.status} ${JSON.stringify(response.body)}`);
      token = response.body.token;
    },
    /** Creates an entity. @throws for any status other than 201 */
    async create(path, body) {
      const response = await request('POST', path, body);
      if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${JSON.stringify(response.body)}`);
      return response.body;
    },
  };
}

/** Starts writers. Each creates one subdomain after another until `stop` is called. The responses are recorded. */
export function startWriters(caller, prefix, { writers = 4, pauseMs = 0 } = {}) {
  const acknowledged = [];
  const responses = [];
  let isStopped = false;
  const write = async (writer) => {
    for (let index = 0; !isStopped; index += 1) {
      const subdomain = `${prefix}-${writer}-${index}`;
      const body = { subdomain, description: 'x'.repeat(400), type: 'proxy', port: 4000 };
      const at = Date.now();
      const { status, retryAfter, ms } = await caller.request('POST', '/subdomains', body);
      responses.push({ at, status, retryAfter, ms });
      if (status === 201) acknowledged.push(subdomain);
      if (pauseMs > 0 || status !== 201) await new Promise((resolve) => setTimeout(resolve, Math.max(20, pauseMs)));
    }
  };
  const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  return {
    acknowledged,
    /** Start, status, Retry-After and duration of each call. */
    responses,
    async stop() {
      isStopped = true;
      await writing;
    },
  };
}

/** Formats the number of responses by status. */
export function formatStatusCounts(responses) {
  const counts = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return Object.entries(counts)
    .map(([status, count]) => `${count}x ${status}`)
    .join(', ');
}
