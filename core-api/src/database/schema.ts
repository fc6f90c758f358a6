import { Account } from '../accounts/account.entity';
import { ContactDelivery, ContactMessage } from '../contact/contact.entity';
import { ApiKey } from '../gateway/keys/key.entity';
import { GatewayRoute, GatewayRouteMethod } from '../gateway/routes/route.entity';
import { GatewayService } from '../gateway/services/service.entity';
import { UsageBatch, UsageMinute } from '../gateway/usage/usage.entity';
import { Project } from '../projects/project.entity';
import { SettingsRow } from '../settings/settings.entity';
import { Subdomain } from '../subdomains/subdomain.entity';
import { Tenant } from '../tenants/tenant.entity';
import { HostClaim } from './host-claims';
import { Foundation1700000000001 } from './migrations/1700000000001-foundation';
import { Studio1700000000002 } from './migrations/1700000000002-studio';
import { Usage1700000000003 } from './migrations/1700000000003-usage';
import { DeliveredPieces1700000000004 } from './migrations/1700000000004-delivered-pieces';
import { SubdomainSearch1700000000005 } from './migrations/1700000000005-subdomain-search';
import { ConfigurationChange, ConfigurationRevision } from './revision';

export const entities = [
  Account,
  Subdomain,
  HostClaim,
  ConfigurationRevision,
  ConfigurationChange,
  Project,
  Tenant,
  SettingsRow,
  ContactMessage,
  ContactDelivery,
  GatewayService,
  GatewayRoute,
  GatewayRouteMethod,
  ApiKey,
  UsageMinute,
  UsageBatch,
];

/** In the order in which they are applied. */
export const migrations = [
  Foundation1700000000001,
  Studio1700000000002,
  Usage1700000000003,
  DeliveredPieces1700000000004,
  SubdomainSearch1700000000005,
];
