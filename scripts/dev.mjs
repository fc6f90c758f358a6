/** `npm run dev` runs the product with hot reload of web, and restarts the other processes when their code changes. */
import { watch } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, root } from './setup/setup.mjs';
import { checkNode } from './supervisor/node.mjs';
import { supervise } from './supervisor/supervisor.mjs';

checkNode();
await ensureBuilt();

const modules = join(root, 'node_modules');
const tsc = join(modules, '@typescript/native/bin/tsc');
/** Programs by their compiled folder. The supervisor restarts them, because `node --watch` breaks the edge's workers. */
const programsByFolder = { 'core-api/dist': ['core-api', 'edge'], 'bff/dist': ['bff'] };
/** A compilation writes many files. Programs restart after this time without a further change. */
const QUIET_MS = 300;
const webPort = process.env.WEB_PORT || '5173';

const supervisor = supervise(
  [
    {
      name: 'codegen',
      args: [join(modules, '@graphql-codegen/cli/cjs/bin.js'), '--config', 'codegen.ts', '--watch', 'schema.graphql'],
    },
    { name: 'core tsc', args: [tsc, '-p', 'core-api/tsconfig.build.json', '--watch', '--preserveWatchOutput'] },
    { name: 'bff tsc', args: [tsc, '-p', 'bff/tsconfig.build.json', '--watch', '--preserveWatchOutput'] },
    { name: 'core-api', args: ['core-api/dist/bin/core.js'] },
    { name: 'edge', args: ['core-api/dist/bin/edge.js'] },
    { name: 'bff', args: ['bff/dist/main.js'] },
    { name: 'web', args: [join(modules, '@react-router/dev/bin.js'), 'dev', 'web', '--port', webPort] },
  ],
  {
    cwd: root,
    env: { LOG_LEVEL: 'info', ...process.env },
    onEnd: (code) => process.exit(code),
  },
);
process.stdout.write(`\n  Console com recarga automática: http://localhost:${webPort}\n\n`);

for (const [folder, names] of Object.entries(programsByFolder)) {
  let timer;
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const name of names) supervisor.restart(name);
    }, QUIET_MS);
  });
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => supervisor.stop(0));
