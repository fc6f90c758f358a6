/** Interface of this feature for other features. */
export { type RolloutStatus, rolloutStatusResponse } from './rollout.schema';
export type { RolloutService } from './rollout.service';
