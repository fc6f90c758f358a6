/** `npm start`: from a bare clone to a running product. `--help` lists the variables. */
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { built, checkNode, fail, root } from './setup.mjs';
import { supervise } from './supervisor.mjs';

checkNode();
if (process.argv.includes('--help')) {
  const { readFileSync } = await import('node:fs');
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  process.stdout.write(`${/## Configuration\n([\s\S]*?)\n## /.exec(readme)?.[1].trim()}\n`);
  process.exit(0);
}

const began = Date.now();
await built();

const port = process.env.PORT || '3000';
const adminPort = process.env.EDGE_ADMIN_PORT || '3003';
const bffPort = process.env.BFF_PORT || '3001';
const domain = process.env.BASE_DOMAIN || 'localhost';
const origin = `http://${domain}${port === '80' ? '' : `:${port}`}`;
let administrator;

/** Somebody else listens there: without this look, another installation's answers would be taken for ours. */
const isTaken = (at) =>
  new Promise((resolve) => {
    const socket = connect(Number(at), '127.0.0.1').once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
const EX_CONFIG = 78;
const ports = { PORT: port, BFF_PORT: bffPort, CORE_PORT: process.env.CORE_PORT || '3002', EDGE_ADMIN_PORT: adminPort };
for (const [variable, at] of Object.entries(ports)) {
  if (/^\d{1,5}$/.test(at) && Number(at) < 65_536 && (await isTaken(at))) {
    fail(`${variable}: a porta ${at} já está em uso.`, EX_CONFIG);
  }
}

const programs = [
  { name: 'core-api', args: ['core-api/dist/main.js'] },
  { name: 'bff', args: ['bff/dist/main.js'] },
  { name: 'edge', args: ['core-api/dist/edge/main.js'] },
];
const missing = programs.find(({ args }) => !existsSync(join(root, args[0])));
if (missing) {
  process.stderr.write(`Falta ${missing.args[0]}: a compilação não terminou.\n`);
  process.exit(1);
}

const supervisor = supervise(programs, {
  cwd: root,
  env: { NODE_ENV: 'production', ...process.env },
  onMessage(_name, message) {
    if (message?.type === 'admin-created') administrator = message;
  },
  onEnd: (code) => process.exit(code),
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => supervisor.stop(0));

const isReady = (at) =>
  fetch(`http://127.0.0.1:${at}/readyz`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
while (!(await isReady(adminPort)) || !(await isReady(bffPort)))
  await new Promise((resolve) => setTimeout(resolve, 100));

const seconds = ((Date.now() - began) / 1000).toFixed(1).replace('.', ',');
process.stdout.write(`
  Pronto em ${seconds} s.

  Site      ${origin}
  Console   ${origin}/admin
  Gateway   http://api.${domain}${port === '80' ? '' : `:${port}`}
${administrator ? `\n  Primeiro administrador (a senha não será mostrada de novo):\n  Usuário   ${administrator.username}\n  Senha     ${administrator.password}\n` : ''}
  Ctrl-C encerra.

`);
