import { Foundation1700000000001 } from './1700000000001-foundation';
import { Studio1700000000002 } from './1700000000002-studio';
import { Usage1700000000003 } from './1700000000003-usage';
import { DeliveredPieces1700000000004 } from './1700000000004-delivered-pieces';
import { SubdomainSearch1700000000005 } from './1700000000005-subdomain-search';
import { SecretFingerprints1700000000010 } from './1700000000010-secret-fingerprints';
import { Sessions1700000000011 } from './1700000000011-sessions';
import { UsageHistory1700000000012 } from './1700000000012-usage-history';
import { GatewayPolicies1700000000020 } from './1700000000020-gateway-policies';
import { RequestLog1700000000021 } from './1700000000021-request-log';
import { People1700000000030 } from './1700000000030-people';
import { Administrators1700000000031 } from './1700000000031-administrators';
import { Hosts1700000000040 } from './1700000000040-hosts';
import { UsageReasons1700000000050 } from './1700000000050-usage-reasons';
import { RateWindows1700000000060 } from './1700000000060-rate-windows';
import { RetentionClock1700000000061 } from './1700000000061-retention-clock';
import { Installation1700000000070 } from './1700000000070-installation';
import { SpaFallback1700000000075 } from './1700000000075-spa-fallback';
import { DomainOk1700000000076 } from './1700000000076-domain-ok';
import { Access1700000000080 } from './1700000000080-access';
import { SiteVersions1700000000090 } from './1700000000090-site-versions';
import { HostPolicies1700000000091 } from './1700000000091-host-policies';
import { Uptime1700000000100 } from './1700000000100-uptime';
import { Alerts1700000000101 } from './1700000000101-alerts';
import { Backups1700000000102 } from './1700000000102-backups';
import { DomainsForGood1700000000103 } from './1700000000103-domains-for-good';
import { SiteDomains1700000000110 } from './1700000000110-site-domains';
import { SharedContent1700000000111 } from './1700000000111-shared-content';
import { SiteUploads1700000000114 } from './1700000000114-site-uploads';
import { DomainChanges1700000000130 } from './1700000000130-domain-changes';
import { SearchTexts1700000000140 } from './1700000000140-search-texts';
import { AnsweredMessages1700000000150 } from './1700000000150-answered-messages';
import { AuditNames1700000000160 } from './1700000000160-audit-names';
import { TargetKeys1700000000170 } from './1700000000170-target-keys';
import { ListOrders1700000000171 } from './1700000000171-list-orders';
import { CountsAndPages1700000000172 } from './1700000000172-counts-and-pages';
import { TargetHealthByTarget1700000000173 } from './1700000000173-target-health-by-target';
import { AlertsBySubject1700000000174 } from './1700000000174-alerts-by-subject';
import { OpenAlertsBySeverity1700000000175 } from './1700000000175-open-alerts-by-severity';

/**
 * The migrations in the order in which they are applied. A migration imports no code of the features, so its effect never
 * changes.
 */
export const migrations = [
  Foundation1700000000001,
  Studio1700000000002,
  Usage1700000000003,
  DeliveredPieces1700000000004,
  SubdomainSearch1700000000005,
  SecretFingerprints1700000000010,
  Sessions1700000000011,
  UsageHistory1700000000012,
  GatewayPolicies1700000000020,
  RequestLog1700000000021,
  People1700000000030,
  Administrators1700000000031,
  Hosts1700000000040,
  UsageReasons1700000000050,
  RateWindows1700000000060,
  RetentionClock1700000000061,
  Installation1700000000070,
  SpaFallback1700000000075,
  DomainOk1700000000076,
  Access1700000000080,
  SiteVersions1700000000090,
  HostPolicies1700000000091,
  Uptime1700000000100,
  Alerts1700000000101,
  Backups1700000000102,
  DomainsForGood1700000000103,
  SiteDomains1700000000110,
  SharedContent1700000000111,
  SiteUploads1700000000114,
  DomainChanges1700000000130,
  SearchTexts1700000000140,
  AnsweredMessages1700000000150,
  AuditNames1700000000160,
  TargetKeys1700000000170,
  ListOrders1700000000171,
  CountsAndPages1700000000172,
  TargetHealthByTarget1700000000173,
  AlertsBySubject1700000000174,
  OpenAlertsBySeverity1700000000175,
];
