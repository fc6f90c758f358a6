import { accounts } from './accounts';
import { alerts } from './alerts';
import { audit } from './audit';
import { backups } from './backups';
import { contact } from './contact';
import { DateTime } from './date-time';
import { domains } from './domains';
import { gateway } from './gateway';
import { hostPolicies } from './host-policies';
import { overview } from './overview';
import { projects } from './projects';
import { settings } from './settings';
import { subdomains } from './subdomains';
import { tenants } from './tenants';
import { tokens } from './tokens';
import { versions } from './versions';

export const resolvers = [
  { DateTime },
  accounts,
  contact,
  subdomains,
  projects,
  tenants,
  versions,
  hostPolicies,
  domains,
  tokens,
  settings,
  overview,
  gateway,
  alerts,
  backups,
  audit,
];
