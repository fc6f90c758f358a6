/**
 * Runs the three processes of a clone or of a release, and prints their URLs. This file imports only Node's modules and
 * scripts that a release contains.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { connect, isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import { checkNode, fail } from './node.mjs';
import { supervise } from './supervisor.mjs';

export const EX_CONFIG = 78;
const PROBE_TIMEOUT_MS = 1_000;
const PROBE_INTERVAL_MS = 100;
const PROGRAMS = [
  { name: 'core-api', args: ['core-api/dist/bin/core.js'] },
  { name: 'bff', args: ['bff/dist/main.js'] },
  { name: 'edge', args: ['core-api/dist/bin/edge.js'] },
];

/**
 * Refuses an old Node, handles `--help` and reads the variables of `--env-file FILE`.
 * @param manual the file whose section "Configuration" is the help
 */
export function readArguments(manual) {
  checkNode();
  if (process.argv.includes('--help')) {
    const text = readFileSync(manual, 'utf8');
    process.stdout.write(`${/## Configuration\n([\s\S]*?)(?:\n## |$)/.exec(text)?.[1].trim()}\n`);
    process.exit(0);
  }
  const option = process.argv.indexOf('--env-file');
  if (option < 0) return;
  const file = process.argv[option + 1] ?? '';
  try {
    process.loadEnvFile(file);
  } catch (error) {
    fail(`--env-file: ${file ? `não foi possível ler ${file} (${error.code})` : 'falta o arquivo'}.`, EX_CONFIG);
  }
}

/** Returns the address for requests to a process that binds `host`. A wildcard is reachable on loopback. */
const toReachableHost = (host) => ({ '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' })[host ?? ''] ?? host;

/** Returns the hosts and ports of an installation, each under the variable that sets the port. */
const readListeners = (env) => ({
  PORT: { host: toReachableHost(env.HOST), port: env.PORT || '3000' },
  BFF_PORT: { host: toReachableHost(env.BFF_HOST), port: env.BFF_PORT || '3001' },
  CORE_PORT: { host: toReachableHost(env.CORE_HOST), port: env.CORE_PORT || '3002' },
  EDGE_ADMIN_PORT: { host: toReachableHost(env.EDGE_ADMIN_HOST), port: env.EDGE_ADMIN_PORT || '3003' },
});

/**
 * Whether another process listens on this port. Without this check, responses of another installation would look like
 * responses of this one.
 */
const isTaken = ({ host, port }) =>
  new Promise((resolve) => {
    const socket = connect(Number(port), host).once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

async function requireFreePorts(listeners) {
  for (const [variable, listener] of Object.entries(listeners)) {
    const { port } = listener;
    if (/^\d{1,5}$/.test(port) && Number(port) < 65_536 && (await isTaken(listener)))
      fail(`${variable}: a porta ${port} já está em uso.`, EX_CONFIG);
  }
}

const isReady = ({ host, port }) =>
  fetch(`http://${isIPv6(host) ? `[${host}]` : host}:${port}/readyz`, {
    signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
  }).then(
    ({ ok }) => ok,
    () => false,
  );

async function waitUntilReady(listener) {
  while (!(await isReady(listener))) await new Promise((resolve) => setTimeout(resolve, PROBE_INTERVAL_MS));
}

/**
 * Returns lines about the first administrator's password, or none once its file is gone (the first login removes it).
 * A terminal shows the password, and the file is then removed. A log shows only the path of the file.
 */
function takePasswordLines(root, env) {
  const file = resolve(root, env.DATA_DIR || 'data', 'first-password');
  if (!existsSync(file)) return [];
  const username = `Usuário   ${env.ADMIN_USERNAME || 'admin'}`;
  if (!process.stdout.isTTY) return [username, `A senha está em ${file} até o primeiro login.`, ''];
  const password = readFileSync(file, 'utf8').trim();
  rmSync(file);
  return ['Primeiro administrador (a senha não será mostrada de novo):', username, `Senha     ${password}`, ''];
}

function printUrls(root, env, startedAt, port) {
  const domain = env.BASE_DOMAIN || 'localhost';
  const site = new URL(env.PUBLIC_URL || `http://${domain}:${port}`);
  const gateway = new URL(site);
  gateway.hostname = `api.${domain}`;
  const lines = [
    `Pronto em ${((Date.now() - startedAt) / 1000).toFixed(1).replace('.', ',')} s.`,
    '',
    `Site      ${site.origin}`,
    `Console   ${site.origin}/admin`,
    `Gateway   ${gateway.origin}`,
    '',
    ...takePasswordLines(root, env),
    'Ctrl-C encerra.',
  ];
  process.stdout.write(
    process.stdout.isTTY
      ? `\n${lines.map((line) => line && `  ${line}`).join('\n')}\n\n`
      : `${lines.filter(Boolean).join('\n')}\n`,
  );
}

/**
 * Starts the three processes and resolves when all are ready. When they end, this process exits.
 * @param root folder that contains the compiled code, and from which relative paths start
 * @param startedAt when the start was requested, ms since the epoch
 */
export async function run(root, startedAt) {
  const { env } = process;
  const listeners = readListeners(env);
  await requireFreePorts(listeners);
  const missing = PROGRAMS.find(({ args: [file] }) => !existsSync(join(root, file)));
  if (missing) fail(`Falta ${missing.args[0]}: a compilação não terminou.`);
  const supervisor = supervise(PROGRAMS, {
    cwd: root,
    env: { NODE_ENV: 'production', ...env },
    onEnd: (code) => process.exit(code),
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => supervisor.stop(0));
  await waitUntilReady(listeners.EDGE_ADMIN_PORT);
  await waitUntilReady(listeners.BFF_PORT);
  printUrls(root, env, startedAt, listeners.PORT.port);
}
