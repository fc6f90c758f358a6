import { type EntityManager, MoreThan } from 'typeorm';
import { toIsoFromNow } from '../../../platform/time/iso-from-now';
import { DAY_MS } from '../../../platform/time/units';
import { DomainStatus } from './domain-status.entity';

/** A custom domain may get a certificate for this long after its last good DNS check (docs/contract-operators.md). */
const DOMAIN_OK_MS = 30 * DAY_MS;

/** Whether the DNS of a custom domain was correct within the last 30 days. */
export const wasDomainRecentlyOk = (manager: EntityManager, host: string): Promise<boolean> =>
  manager.existsBy(DomainStatus, { host, okAt: MoreThan(toIsoFromNow(-DOMAIN_OK_MS)) });
