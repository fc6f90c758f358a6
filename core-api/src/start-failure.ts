import { ConfigurationError } from './config';

/** sysexits.h EX_CONFIG: starting again is of no use until somebody changes the configuration. */
const EX_CONFIG = 78;

/** Ends the process with one line for each fault, without a stack. */
export function failStart(error: unknown, portVariable: string): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ConfigurationError) for (const fault of error.faults) process.stderr.write(`${fault}\n`);
  else if (/EADDRINUSE/.test(code + message))
    process.stderr.write(`${portVariable}: a porta já está em uso (${message})\n`);
  else if (/EACCES/.test(code + message)) process.stderr.write(`${portVariable}: sem permissão (${message})\n`);
  else {
    process.stderr.write(`${message}\n`);
    process.exit(1);
  }
  process.exit(EX_CONFIG);
}
