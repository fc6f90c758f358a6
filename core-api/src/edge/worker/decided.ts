import type { Site } from '../../decide/site';
import type { RefusalReason, TrafficKind } from '../../decide/verdict';
import type { Answer, Forward } from '../http1/types';

/** A request's own span in its trace. */
export interface OwnSpan {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  sampled: boolean;
  /** For the upstream, with their CRLF. */
  lines: string;
}

/** A decision with the facts that log, metrics and usage record. */
export type Decided = (Forward | Answer) & {
  kind: TrafficKind;
  requestId: string;
  reason?: RefusalReason;
  keyId?: string;
  routeId?: string;
  serviceId?: string;
  site?: Site;
  /** The gateway has allowed and counted the request. */
  counted?: boolean;
  /** Header lines that are added to any answer. */
  cors?: string;
  /** Set where traces are exported. */
  span?: OwnSpan;
};
