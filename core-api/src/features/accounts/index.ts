export type { Account } from './account.entity';
export { type AccountsService, toPrincipal } from './accounts.service';
export type { LoginLimits } from './logins/login-limits';
export { createSitePassword, passwordMatches, withHashingSlot } from './passwords/passwords';
