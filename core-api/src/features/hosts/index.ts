export { claimHost, findClaims, isClaimedOutside, isHostClaimed, mapTakenHost, releaseHost } from './hosts.service';
