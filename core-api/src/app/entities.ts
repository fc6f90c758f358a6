import {
  Account,
  EndedSession,
  LoginAddress,
  LoginFailures,
  RecoveryCode,
  SudoSession,
} from '../features/accounts/account.entity';
import { Alert, AlertFlap, AlertMessage, AlertNotification, Machine } from '../features/alerts/alert.entity';
import { AlertChannel, AlertRule, MaintenanceWindow, Mute } from '../features/alerts/alert-settings.entity';
import { BackupPlanRow, BackupRun } from '../features/backups/backup.entity';
import { ContactDelivery, ContactMessage } from '../features/contact/contact.entity';
import { DomainStatus } from '../features/domains/domain-status.entity';
import { ReleasedDomain, SiteDomain } from '../features/domains/site-domain.entity';
import { ApiKey, RateWindowRow } from '../features/gateway/keys/key.entity';
import { LoggedRequest } from '../features/gateway/requests/request-log.entity';
import { GatewayRoute, GatewayRouteMethod } from '../features/gateway/routes/route.entity';
import { GatewayService } from '../features/gateway/services/service.entity';
import { UsageBatch, UsageDay, UsageHour, UsageMinute, UsageSubject } from '../features/gateway/usage/usage.entity';
import { HostPolicyRow } from '../features/host-policies/host-policy.entity';
import { HostClaim } from '../features/hosts/host-claim.entity';
import { Project } from '../features/projects/project.entity';
import { Edge } from '../features/rollout/edge.entity';
import { SettingsRow } from '../features/settings/settings.entity';
import { Content, ContentHolder, ContentMachine, ContentPart } from '../features/sites/content.entity';
import { SiteActivation, SiteUpload, SiteVersion } from '../features/sites/site-version.entity';
import { Subdomain } from '../features/subdomains/subdomain.entity';
import { TargetDay, TargetHealth, TargetIncident } from '../features/target-health/target-health.entity';
import { Tenant } from '../features/tenants/tenant.entity';
import { ApiToken } from '../features/tokens/token.entity';
import { AuditEntry } from '../platform/audit/audit-entry.entity';
import { ConfigurationChange, ConfigurationRevision } from '../platform/config-revisions/config-revision.entity';
import { Installation } from '../platform/installation/installation.entity';
import { Lease } from '../platform/jobs/lease.entity';
import { RetentionClock } from '../platform/retention/retention-clock.entity';
import { SecretFingerprint } from '../platform/secrets/secret-fingerprint.entity';

/** Every table of the database. The list is here because `platform/database` may not import features. */
export const entities = [
  Account,
  ApiToken,
  SudoSession,
  RecoveryCode,
  Subdomain,
  HostClaim,
  SiteVersion,
  HostPolicyRow,
  SiteActivation,
  SiteUpload,
  Content,
  ContentPart,
  ContentHolder,
  ContentMachine,
  Edge,
  Lease,
  TargetHealth,
  TargetDay,
  TargetIncident,
  SiteDomain,
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
  Installation,
  AuditEntry,
  LoginFailures,
  LoginAddress,
  EndedSession,
  LoggedRequest,
  RetentionClock,
  Alert,
  AlertNotification,
  AlertMessage,
  AlertFlap,
  AlertChannel,
  AlertRule,
  Mute,
  MaintenanceWindow,
  Machine,
  BackupPlanRow,
  BackupRun,
];
