export { claimHost, claimsOf, isHeldOutside, isHostClaimed, mapTakenHost, releaseHost } from './hosts.service';
