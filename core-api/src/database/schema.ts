import { Account } from '../accounts/account.entity';
import { Subdomain } from '../subdomains/subdomain.entity';
import { HostClaim } from './host-claims';
import { Foundation1700000000001 } from './migrations/1700000000001-foundation';
import { ConfigurationChange, ConfigurationRevision } from './revision';

export const entities = [Account, Subdomain, HostClaim, ConfigurationRevision, ConfigurationChange];

/** In the order in which they are applied. */
export const migrations = [Foundation1700000000001];
