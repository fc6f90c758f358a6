export { claimHost, findClaims, isClaimedOutside, isHostClaimed, mapHostConflict, releaseHost } from './hosts.service';
