import { backupPlanMessages } from '../../features/backups';
import { RuleError } from '../../platform/errors/rule-error';
import { ForbiddenAddressError } from '../../platform/net/guarded-lookup';

const messages = backupPlanMessages.reasons;

const FORMATTER_BY_CODE: Record<string, (code: string) => string> = {
  ENOSPC: messages.diskFull,
  EDQUOT: messages.diskFull,
  ...Object.fromEntries(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS'].map((code) => [code, messages.folder])),
  ...Object.fromEntries(
    ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ETIMEDOUT', 'TimeoutError'].map(
      (code) => [code, messages.unreachable],
    ),
  ),
  ...Object.fromEntries(
    ['SignatureDoesNotMatch', 'InvalidAccessKeyId', 'AccessDenied', 'ExpiredToken'].map((code) => [
      code,
      messages.credentials,
    ]),
  ),
  NoSuchBucket: messages.bucket,
};

/** Returns the reason of a failure in Portuguese, with the error code from which an operator finds the cause. */
export function getFailureReason(error: unknown): string {
  if (error instanceof RuleError) return error.message;
  if (!(error instanceof Error)) return messages.unexpected(String(error));
  if (error instanceof ForbiddenAddressError) return backupPlanMessages.endpointForbidden;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return FORMATTER_BY_CODE[code]?.(code) ?? messages.unexpected(`${error.name}: ${error.message}`);
}
