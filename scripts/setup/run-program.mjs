import { spawn } from 'node:child_process';

/** Runs a file with Node, forwards signals to it, and ends this process with its exit code. */
export function runProgram(file, args) {
  const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit' });
  process.on('SIGINT', (signal) => child.kill(signal)).on('SIGTERM', (signal) => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
}
