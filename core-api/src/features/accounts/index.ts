/** Interface of this feature for other features. */
export { type AccountsService, type KnownAccount, principalOf } from './accounts.service';
export type { LoginLimits } from './login-limits';
export { createSitePassword, passwordMatches, withHashingSlot } from './passwords';
