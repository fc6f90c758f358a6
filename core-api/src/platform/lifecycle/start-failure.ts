import { ConfigError } from '../config/config';
import { getErrorCode, getErrorMessage } from '../errors/error-details';

/** Exit code of sysexits.h for a wrong configuration, after which systemd does not restart the process. */
const EX_CONFIG = 78;

const formatNotLocalAddress = (portVariable: string, message: string): string =>
  `${portVariable.replace(/PORT$/, 'HOST')}: não é um endereço desta máquina (${message})`;

/** Ends a process whose server could not listen. A failed name lookup concerns the bind address, not another server. */
export function failListening(error: Error, portVariable: string): never {
  const isNameLookup = /\bgetaddrinfo\b/.test(error.message);
  return failStart(
    isNameLookup ? new ConfigError([formatNotLocalAddress(portVariable, error.message)]) : error,
    portVariable,
  );
}

function describeDiskError(code: string, message: string): string {
  const text = code + message;
  if (/ENOSPC|SQLITE_FULL/.test(text)) return `Sem espaço em disco (${message})`;
  if (/EIO|SQLITE_IOERR/.test(text))
    return `Não foi possível ler ou gravar no disco; talvez não haja espaço (${message})`;
  return message;
}

/** Returns a line for each violation that a restart cannot remove, or undefined for any other failure. */
function findConfigViolations(error: unknown, portVariable: string): readonly string[] | undefined {
  if (error instanceof ConfigError) return error.violations;
  const message = getErrorMessage(error);
  const text = getErrorCode(error) + message;
  if (/EADDRINUSE/.test(text)) {
    const subject = portVariable.endsWith('PORT') ? 'a porta' : 'o socket';
    return [`${portVariable}: ${subject} já está em uso (${message})`];
  }
  if (/\b(?:listen|bind) (?:EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN)\b/.test(message))
    return [formatNotLocalAddress(portVariable, message)];
  if (/EACCES|EPERM|EROFS/.test(text)) {
    // The error concerns a privileged port or a folder of another user.
    return [`${/\b(?:listen|bind)\b/.test(message) ? portVariable : 'DATA_DIR'}: sem permissão (${message})`];
  }
  if (/\bmkdir\b/.test(message) && !/ENOSPC|EIO/.test(message))
    return [`DATA_DIR: não é uma pasta que se possa usar (${message})`];
  return undefined;
}

/** Ends the process with one line for each error, without a stack. */
export function failStart(error: unknown, portVariable: string): never {
  const violations = findConfigViolations(error, portVariable);
  for (const line of violations ?? [describeDiskError(getErrorCode(error), getErrorMessage(error))])
    process.stderr.write(`${line}\n`);
  process.exit(violations ? EX_CONFIG : 1);
}
