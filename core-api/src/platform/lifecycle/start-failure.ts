import { ConfigurationError } from '../config';
import { errorMessage } from '../errors';
import { errorCode } from '../net/error-code';

/** EX_CONFIG of sysexits.h: a restart cannot succeed until the configuration changes. */
const EX_CONFIG = 78;

const notLocalAddress = (portVariable: string, message: string): string =>
  `${portVariable.replace(/PORT$/, 'HOST')}: não é um endereço desta máquina (${message})`;

/**
 * Ends a process whose server could not listen. A failed name lookup here concerns the bind address, not another
 * server.
 */
export function failListening(error: Error, portVariable: string): never {
  const isNameLookup = /\bgetaddrinfo\b/.test(error.message);
  return failStart(
    isNameLookup ? new ConfigurationError([notLocalAddress(portVariable, error.message)]) : error,
    portVariable,
  );
}

function diskMessage(code: string, message: string): string {
  const text = code + message;
  if (/ENOSPC|SQLITE_FULL/.test(text)) return `Sem espaço em disco (${message})`;
  if (/EIO|SQLITE_IOERR/.test(text))
    return `Não foi possível ler ou gravar no disco; talvez não haja espaço (${message})`;
  return message;
}

/** Ends the process with one line for each error, without a stack. */
export function failStart(error: unknown, portVariable: string): never {
  const code = errorCode(error);
  const message = errorMessage(error);
  if (error instanceof ConfigurationError) for (const fault of error.faults) process.stderr.write(`${fault}\n`);
  else if (/EADDRINUSE/.test(code + message))
    process.stderr.write(
      `${portVariable}: ${portVariable.endsWith('PORT') ? 'a porta' : 'o socket'} já está em uso (${message})\n`,
    );
  else if (/\b(?:listen|bind) (?:EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN)\b/.test(message))
    process.stderr.write(`${notLocalAddress(portVariable, message)}\n`);
  else if (/EACCES|EPERM|EROFS/.test(code + message)) {
    // Either a privileged port, or a folder of another user.
    const variable = /\b(?:listen|bind)\b/.test(message) ? portVariable : 'DATA_DIR';
    process.stderr.write(`${variable}: sem permissão (${message})\n`);
  } else if (/\bmkdir\b/.test(message) && !/ENOSPC|EIO/.test(message))
    process.stderr.write(`DATA_DIR: não é uma pasta que se possa usar (${message})\n`);
  else {
    process.stderr.write(`${diskMessage(code, message)}\n`);
    process.exit(1);
  }
  process.exit(EX_CONFIG);
}
