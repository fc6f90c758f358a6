import { healthMessages as messages } from './health.messages';
import type { ProbeStep } from './probe-step';

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const isTimeout = (error: unknown): boolean =>
  (error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name)) || codeOf(error) === 'ETIMEDOUT';

const UNREACHABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EPERM']);

/** The sentence for a failed step. @param port of the target */
export function faultSentence(step: ProbeStep['step'], error: unknown, port: number): string {
  const code = codeOf(error);
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
      return code === 'ENOENT' || code === 'ENOTDIR' ? messages.missingFolder : messages.unreadable;
  }
}
