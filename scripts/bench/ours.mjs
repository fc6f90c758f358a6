/** Our core and edge on an empty data folder, configured through the REST API as an administrator would. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, start, until } from './measure.mjs';

const root = join(import.meta.dirname, '../..');
const program = (name) => join(root, 'core-api/dist', name);

/**
 * @param seed arguments of `npm run seed` run before the start, such as `['--keys', '10000']`
 * @returns the two processes, the edge's port and administration port, the data folder, `call(method, path, body)` on
 *   `/api`, its token, and the environment for further processes
 */
export async function startOurs({ workers = 1, seed = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'studio-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [port, bffPort, corePort, adminPort] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const administrator = { username: 'bench', password: 'bench-password-1' };
  const env = {
    ...process.env,
    DATA_DIR: folder,
    PORT: String(port),
    BFF_PORT: String(bffPort),
    CORE_PORT: String(corePort),
    EDGE_ADMIN_PORT: String(adminPort),
    CORE_URL: `http://127.0.0.1:${corePort}`,
    HOST: '127.0.0.1',
    EDGE_WORKERS: String(workers),
    ADMIN_USERNAME: administrator.username,
    ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: 'error',
    NODE_ENV: 'production',
  };
  const core = start('node', [program('main.js')], { env });
  const ready = (process, at) =>
    until(
      `${at}/readyz`,
      async () => {
        if (process.exitCode !== null) throw new Error(process.output);
        return (await fetch(`http://127.0.0.1:${at}/readyz`)).ok;
      },
      60,
    );
  await ready(core, corePort);
  if (seed.length > 0) {
    const { status, stderr } = spawnSync('node', [program('seed.js'), ...seed], { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`seed: ${stderr}`);
  }
  const edge = start('node', [program('edge/main.js')], { env });
  await ready(edge, adminPort);

  let token;
  const call = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${corePort}/api${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text && JSON.parse(text);
  };
  ({ token } = await call('POST', '/login', administrator));
  return { core, edge, port, adminPort, folder, call, token, environment: env };
}
