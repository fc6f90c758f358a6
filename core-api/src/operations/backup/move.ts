import { RuleError } from '../../platform/errors/rule-error';
import { type CopyTotals, computeTotals } from './backup';
import { backupMessages as messages } from './backup.messages';
import { applyMigrations, inTransaction, openPostgres, withConnection } from './connections';
import { copyRows } from './copy-rows';
import {
  getDatabaseFile,
  type InstallationConfig,
  openExclusively,
  removePassword,
  requireDatabase,
  requireInstalled,
} from './installation';
import { listTables } from './tables';

/**
 * Copies the SQLite database of a stopped installation into an empty PostgreSQL database, in one transaction. The file
 * is not changed.
 * @throws RuleError invalid if there is no SQLite database or the target is not empty, conflict while the product runs
 */
export async function moveToPostgres(
  installation: Pick<InstallationConfig, 'DATA_DIR'>,
  url: string,
): Promise<CopyTotals> {
  if (!/^postgres(ql)?:\/\//.test(url)) throw new RuleError('invalid', messages.notPostgres);
  requireDatabase({ ...installation, DATABASE_URL: undefined });
  const file = getDatabaseFile(installation);
  // The file stays locked until the end. Otherwise a core could start and write rows that are not copied.
  const source = await openExclusively(file);
  if (!source) throw new RuleError('invalid', messages.notInstalled(file));
  return withConnection(source, async (from) => {
    return withConnection(openPostgres(url, await requireInstalled(source, file)), (to) =>
      inTransaction(to, 'BEGIN', async () => {
        if ((await listTables(to)).length > 0 || (await to.hasTable('migrations')))
          throw new RuleError('invalid', messages.notEmpty(removePassword(url)));
        await applyMigrations(to);
        return computeTotals(await copyRows(from, to));
      }),
    );
  });
}
