/** Reads commands from a document and runs them in a separate root folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Returns the blocks of commands below a heading of a document. @param heading a regular expression */
export function readCommandsBelow(page, heading) {
  const [, section = ''] = new RegExp(`\\n#{2,3} ${heading}\\n([\\s\\S]*?)(?=\\n#{2,3} |$)`).exec(page) ?? [];
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block);
}

/** Runs a program in a root folder, with the environment of root's login shell and `environment`. */
export async function runIn(root, command, environment = {}) {
  const child = spawn('chroot', [root, ...command], {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  return { code, output };
}
