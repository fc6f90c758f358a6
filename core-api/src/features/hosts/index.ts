/** Interface of this feature for other features. */
export { claimHost, claimsOf, isHeldOutside, isHostClaimed, releaseHost, withHolder } from './hosts.service';
