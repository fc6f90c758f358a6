export { createIsDownSql } from './is-down';
export { type Health, healthResponse, probeStepResponse } from './target-health.schema';
export type { TargetHealthService } from './target-health.service';
export type { UptimeSubject } from './uptime/uptime.service';
