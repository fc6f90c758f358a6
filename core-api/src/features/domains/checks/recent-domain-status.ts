import { type EntityManager, MoreThan } from 'typeorm';
import { DAY_MS, toIsoFromNow } from '../../../platform/time/relative-time';
import { DomainStatus } from './domain-status.entity';

/** Whether a custom domain may get a certificate: its last good DNS check is at most 30 days old. */
export const wasDomainRecentlyOk = (manager: EntityManager, host: string): Promise<boolean> =>
  manager.existsBy(DomainStatus, { host, okAt: MoreThan(toIsoFromNow(-30 * DAY_MS)) });
