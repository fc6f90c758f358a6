/** Pattern of a `traceparent` header of W3C Trace Context, version 00. No id may be all zeros. */
const TRACE_PARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The parent of further spans in a trace. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  /** Whether spans of this trace are exported. */
  sampled: boolean;
}

/** Parses a `traceparent` header, or returns undefined if the header is missing or invalid. */
export function parseTraceParent(value: string | undefined): TraceParent | undefined {
  const [, traceId, spanId, flags] = TRACE_PARENT.exec(value ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const formatTraceParent = ({ traceId, spanId, sampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
