import { errorCode } from '../../platform/net/error-code';
import { RefusedTargetError } from '../../platform/net/guarded-lookup';
import { targetHealthMessages as messages } from './target-health.messages';
import type { ProbeStep } from './target-health.schema';

const isTimeout = (error: unknown): boolean =>
  (error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name)) || errorCode(error) === 'ETIMEDOUT';

const UNREACHABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EPERM']);

/** Message for a failed step. @param port of the target */
export function failureMessage(step: ProbeStep['step'], error: unknown, port: number): string {
  const code = errorCode(error);
  if (error instanceof RefusedTargetError) return messages[error.fault];
  if (isTimeout(error)) return messages.silent;
  switch (step) {
    case 'dns':
      return code === 'ENOTFOUND' ? messages.unknownName : messages.dnsFailed;
    case 'tcp':
      if (code === 'ECONNREFUSED') return messages.refused(port);
      return UNREACHABLE.has(code) ? messages.unreachable : messages.failed;
    case 'tls':
      if (code === 'CERT_HAS_EXPIRED') return messages.expired;
      if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return messages.otherName;
      return /SELF_SIGNED|UNABLE_TO|CERT_/.test(code) ? messages.untrusted : messages.tlsFailed;
    case 'http':
      return code.startsWith('HPE_') ? messages.notHttp : messages.hungUp;
    case 'folder':
    case 'index':
      return code === 'ENOENT' || code === 'ENOTDIR' ? messages.missingFolder : messages.unreadable;
  }
}
