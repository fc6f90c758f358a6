import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen, type Running } from './servers';

const CORE = join(__dirname, '../../../core-api/src/main.ts');
export const ADMINISTRATOR = { username: 'admin', password: 'uma senha de teste' };

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = await listen(() => undefined);
  await server.stop();
  return Number(new URL(server.url).port);
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );

/** The real core as a process of its own, on an empty folder, ready to be asked. */
export async function startCore(environment: Record<string, string> = {}): Promise<Running & { folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'core-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['--require', 'esbuild-register', CORE], {
    cwd: join(__dirname, '../../../core-api'),
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      CORE_PORT: String(port),
      ADMIN_USERNAME: ADMINISTRATOR.username,
      ADMIN_PASSWORD: ADMINISTRATOR.password,
      LOG_LEVEL: 'error',
      STATIC_ROOTS: folder,
      ...environment,
    },
  });
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`the core did not start: ${complaints}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    folder,
    stop: async () => {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
      rmSync(folder, { recursive: true });
    },
  };
}
