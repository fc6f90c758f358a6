import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readOrCreateText } from '../secrets/secret-file';

/** A UUID that identifies this machine over restarts: `DATA_DIR/machine.id`, created at the first start. */
export const readMachineId = (dataDir: string): string => readOrCreateText(join(dataDir, 'machine.id'), randomUUID);
