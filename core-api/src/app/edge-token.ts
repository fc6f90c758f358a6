import { randomBytes } from 'node:crypto';
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../platform/config/config';
import { SET_GROUP_ID } from '../platform/installation/file-mode';
import { readOrCreateText } from '../platform/secrets/secret-file';

/** Returns the path of the token file for reports to the core. A group that shares `DATA_DIR` may read that file. */
export const getEdgeTokenPath = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => join(DATA_DIR, 'edge.token');

/** Returns the token of reports to the core. The first start creates it. */
export function readOrCreateEdgeToken(config: Pick<Config, 'DATA_DIR'>): string {
  const file = getEdgeTokenPath(config);
  const token = readOrCreateText(file, () => randomBytes(32).toString('base64url'));
  const isShared = (statSync(config.DATA_DIR).mode & SET_GROUP_ID) !== 0;
  chmodSync(file, isShared ? 0o640 : 0o600);
  return token;
}
