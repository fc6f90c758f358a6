/** Interface of this feature for other features. */
export { claimHost, isHostClaimed, releaseHost, withHolder } from './hosts.service';
