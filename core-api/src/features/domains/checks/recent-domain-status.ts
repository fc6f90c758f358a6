import { type EntityManager, MoreThan } from 'typeorm';
import { toIsoFromNow } from '../../../platform/time/iso-from-now';
import { DAY_MS } from '../../../platform/time/units';
import { DomainStatus } from './domain-status.entity';

/** Whether a custom domain may get a certificate: its last good DNS check is at most 30 days old. */
export const wasDomainRecentlyOk = (manager: EntityManager, host: string): Promise<boolean> =>
  manager.existsBy(DomainStatus, { host, okAt: MoreThan(toIsoFromNow(-30 * DAY_MS)) });
