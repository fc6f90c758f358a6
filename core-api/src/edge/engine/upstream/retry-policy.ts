import type { Exchange, FailureReason } from '../types';
import type { FailurePhase } from './upstream-interfaces';

/** Safe methods. Their requests without a body may be sent again (RFC 9110 §9.2.2). */
const RETRYABLE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns whether a request may be sent again after some of its bytes were sent. */
export const isSafeToRetry = ({ bodyLength, method }: Pick<Exchange<unknown>, 'bodyLength' | 'method'>): boolean =>
  bodyLength === 0 && RETRYABLE_METHODS.has(method);

/** Returns whether a request may be sent to another instance after a failure in this phase. */
export function mayTryNextInstance(phase: FailurePhase, isRetryable: boolean): boolean {
  // No byte of the request was sent, so any method may be retried.
  if (phase === 'connect') return true;
  // An instance that shuts down resets the connections in its backlog. A crash caused by this request looks the same,
  // so the request must be retryable.
  return isRetryable && phase !== 'response';
}

/** Returns the response status for a request that could not be forwarded. */
export function toFailureStatus(reason: FailureReason): number {
  if (reason === 'queue_full' || reason === 'queue_timeout') return 503;
  return reason === 'connect_timeout' || reason === 'upstream_timeout' ? 504 : 502;
}
