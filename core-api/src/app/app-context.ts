import type { Logger } from 'pino';
import type { Config } from '../platform/config/config';
import type { Database } from '../platform/database/database';
import type { Secrets } from '../platform/secrets/secrets';

/** The parts of the platform that the composition of every feature needs. */
export interface AppContext {
  config: Config;
  secrets: Secrets;
  /** Id of this machine (`DATA_DIR/machine.id`). */
  machineId: string;
  database: Database;
  log: Logger;
}
