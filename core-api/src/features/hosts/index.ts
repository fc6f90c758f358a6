/** Interface of this feature for other features. */
export { claimHost, isHeldOutside, isHostClaimed, releaseHost, withHolder } from './hosts.service';
