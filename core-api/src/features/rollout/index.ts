export { type RolloutStatus, rolloutStatusResponse } from './rollout.schema';
export type { RolloutService } from './rollout.service';
