/** One step of a probe, in this order; the first failure ends it. */
export interface ProbeStep {
  step: 'dns' | 'tcp' | 'tls' | 'http' | 'folder';
  ok: boolean;
  ms: number;
  /** For the screen. */
  detail: string;
}
