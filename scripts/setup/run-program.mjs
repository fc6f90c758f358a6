import { spawn } from 'node:child_process';

/** Runs a file with Node, forwards signals to it, and ends this process with its exit code. */
export function runProgram(file, args) {
  const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
}
