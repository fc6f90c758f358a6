import type { Site } from '../../routing/hosts/site';
import type { RefusalReason } from '../../routing/refusal-reason';
import type { TrafficKind } from '../../routing/routing-decision';
import type { Exchange, Forward, LocalReply } from '../engine/types';
import type { ParsedHeaders } from './parsed-headers';

/** The edge's span in the trace of a request. */
export interface RequestSpan {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  sampled: boolean;
  /** Trace headers for the upstream, each with its CRLF. */
  headerLines: string;
}

/** An engine decision with the properties that access log, metrics and usage need. */
export type EdgeDecision = (Forward | LocalReply) & {
  kind: TrafficKind;
  requestId: string;
  reason?: RefusalReason;
  keyId?: string;
  routeId?: string;
  serviceId?: string;
  site?: Site;
  /** True if the gateway has allowed the request and counted it as usage. */
  isCounted?: boolean;
  /** CORS lines that are added to any response. */
  corsLines?: string;
  /** Set for a forwarded request if the edge exports traces. */
  span?: RequestSpan;
};

export type EdgeExchange = Exchange<ParsedHeaders, EdgeDecision>;
