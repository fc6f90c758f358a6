import { Account } from './accounts/account.entity';
import { EndedSession } from './accounts/ended-session.entity';
import { LoginAddress, LoginFailures } from './accounts/login-limits.entity';
import { RecoveryCode } from './accounts/recovery-code.entity';
import { ConfigurationChange, ConfigurationRevision } from './configuration/configuration.entity';
import { ContactDelivery, ContactMessage } from './contact/contact.entity';
import { AuditEntry } from './database/audit-entry.entity';
import { DomainStatus } from './domains/domain-status.entity';
import { ReleasedDomain } from './domains/released-domain.entity';
import { ApiKey } from './gateway/keys/key.entity';
import { RateWindowRow } from './gateway/keys/rate-window.entity';
import { LoggedRequest } from './gateway/requests/request-log.entity';
import { GatewayRoute, GatewayRouteMethod } from './gateway/routes/route.entity';
import { GatewayService } from './gateway/services/service.entity';
import { UsageBatch, UsageDay, UsageHour, UsageMinute, UsageSubject } from './gateway/usage/usage.entity';
import { TargetHealth } from './health/target-health.entity';
import { HostClaim } from './hosts/host-claim.entity';
import { Edge } from './live/edge.entity';
import { Lease } from './monitoring/lease.entity';
import { Project } from './projects/project.entity';
import { RetentionClock } from './retention/retention-clock.entity';
import { SecretFingerprint } from './secrets/secret-fingerprint.entity';
import { SettingsRow } from './settings/settings.entity';
import { Subdomain } from './subdomains/subdomain.entity';
import { Tenant } from './tenants/tenant.entity';

/** Every table of the database, composed here since `database/` knows no feature. */
export const entities = [
  Account,
  RecoveryCode,
  Subdomain,
  HostClaim,
  Edge,
  Lease,
  TargetHealth,
  DomainStatus,
  ReleasedDomain,
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
  RateWindowRow,
  UsageSubject,
  UsageMinute,
  UsageHour,
  UsageDay,
  UsageBatch,
  SecretFingerprint,
  AuditEntry,
  LoginFailures,
  LoginAddress,
  EndedSession,
  LoggedRequest,
  RetentionClock,
];
