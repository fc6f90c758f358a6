import { ConfigurationError } from './config';

/** sysexits.h EX_CONFIG: starting again is of no use until somebody changes the configuration. */
const EX_CONFIG = 78;

const notHere = (portVariable: string, message: string): string =>
  `${portVariable.replace(/PORT$/, 'HOST')}: não é um endereço desta máquina (${message})`;

/** Ends the process, whose server could not listen. A name that it looked up in vain is its bind address, and no other server's. */
export function failListening(error: Error, portVariable: string): never {
  const isName = /\bgetaddrinfo\b/.test(error.message);
  return failStart(isName ? new ConfigurationError([notHere(portVariable, error.message)]) : error, portVariable);
}

/** Ends the process with one line for each fault, without a stack. */
export function failStart(error: unknown, portVariable: string): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ConfigurationError) for (const fault of error.faults) process.stderr.write(`${fault}\n`);
  else if (/EADDRINUSE/.test(code + message))
    process.stderr.write(`${portVariable}: a porta já está em uso (${message})\n`);
  else if (/\b(?:listen|bind) (?:EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN)\b/.test(message))
    process.stderr.write(`${notHere(portVariable, message)}\n`);
  else if (/EACCES|EPERM|EROFS/.test(code + message)) {
    // A port that needs privileges, or a folder that belongs to somebody else.
    const variable = /\b(?:listen|bind)\b/.test(message) ? portVariable : 'DATA_DIR';
    process.stderr.write(`${variable}: sem permissão (${message})\n`);
  } else if (/\bmkdir\b/.test(message) && !/ENOSPC|EIO/.test(message))
    process.stderr.write(`DATA_DIR: não é uma pasta que se possa usar (${message})\n`);
  else {
    const said = /ENOSPC|SQLITE_FULL/.test(code + message)
      ? `Sem espaço em disco (${message})`
      : /EIO|SQLITE_IOERR/.test(code + message)
        ? `Não foi possível ler ou gravar no disco; talvez não haja espaço (${message})`
        : message;
    process.stderr.write(`${said}\n`);
    process.exit(1);
  }
  process.exit(EX_CONFIG);
}
