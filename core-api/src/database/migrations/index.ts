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

/** In the order in which they are applied. A migration imports no live code: it does the same for ever. */
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
];
