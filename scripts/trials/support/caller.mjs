/** REST calls that tell how they went instead of throwing, and the writers of the trials. */
import { ADMINISTRATOR } from '../../testing/plain.mjs';

/**
 * @param {{ coreUrl: string }} stack
 * @returns calls below `/api` as the first administrator; `status` is 0 where no answer came within `seconds`
 */
export function createCaller(stack, seconds = 30) {
  let token = '';
  async function get(url, options = {}) {
    const began = performance.now();
    const took = () => Math.round(performance.now() - began);
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(seconds * 1000), ...options });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json');
      const body = isJson && text ? JSON.parse(text) : text;
      return { status: response.status, retryAfter: response.headers.get('retry-after'), body, ms: took() };
    } catch {
      return { status: 0, retryAfter: null, body: undefined, ms: took() };
    }
  }
  async function ask(method, path, body) {
    return get(`${stack.coreUrl}/api${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }
  return {
    get,
    ask,
    readiness: async () => get(`${stack.coreUrl}/readyz`),
    async logIn() {
      const answer = await ask('POST', '/login', ADMINISTRATOR);
      if (answer.status !== 200) throw new Error(`login: ${answer.status} ${JSON.stringify(answer.body)}`);
      token = answer.body.token;
    },
    /** @throws unless it was created */
    async create(path, body) {
      const answer = await ask('POST', path, body);
      if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
  };
}

/** Creates subdomains one after the other in each of `lanes`, until it is stopped, and keeps what was answered. */
export function startWriters(caller, prefix, { lanes = 4, pauseMs = 0 } = {}) {
  const acknowledged = [];
  const answers = [];
  let stopped = false;
  const write = async (lane) => {
    for (let index = 0; !stopped; index += 1) {
      const subdomain = `${prefix}-${lane}-${index}`;
      const body = { subdomain, description: 'x'.repeat(400), type: 'proxy', port: 4000 };
      const at = Date.now();
      const { status, retryAfter, ms } = await caller.ask('POST', '/subdomains', body);
      answers.push({ at, status, retryAfter, ms });
      if (status === 201) acknowledged.push(subdomain);
      if (pauseMs > 0 || status !== 201) await new Promise((resolve) => setTimeout(resolve, Math.max(20, pauseMs)));
    }
  };
  const running = Promise.all(Array.from({ length: lanes }, (_, lane) => write(lane)));
  return {
    acknowledged,
    /** Each with when it was asked, its status and how long it took. */
    answers,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

/** Statuses with how often each came. */
export function count(answers) {
  const counts = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return Object.entries(counts)
    .map(([status, times]) => `${times}x ${status}`)
    .join(', ');
}
