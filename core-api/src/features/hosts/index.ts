export { claimHost, claimsOf, isHeldOutside, isHostClaimed, releaseHost, withHolder } from './hosts.service';
