import type { EntityManager } from 'typeorm';
import type { TargetHealthService } from '../target-health';
import type { Subdomain } from './subdomain.entity';
import { checkedHost } from './subdomain-health';
import type { SubdomainState } from './subdomains.schema';

/** The columns that decide the state of a row, newest first. */
const STATES_SQL = `SELECT _id, type, port, "staticPath", "apiPort", "targetHost", "targetPort", "healthCheck", paused,
    source, "versionId"
  FROM subdomains WHERE "searchText" LIKE $1 ESCAPE '\\' ORDER BY "createdAt" DESC, _id DESC`;

/**
 * Ids of the subdomains in a state, newest first. Health is stored by a digest of the target, which SQL cannot compute, so
 * the state of each row is found here.
 * @param pattern of `LIKE` for the search text
 */
export async function idsInState(
  read: EntityManager,
  health: Pick<TargetHealthService, 'stateByHost'>,
  state: SubdomainState,
  pattern: string,
): Promise<string[]> {
  const [stateOf, rows] = await Promise.all([health.stateByHost(), read.query<Subdomain[]>(STATES_SQL, [pattern])]);
  return rows.filter((row) => (row.paused ? 'paused' : stateOf(checkedHost(row))) === state).map(({ _id }) => _id);
}
