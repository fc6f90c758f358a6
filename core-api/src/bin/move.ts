/** `npm run move -- postgres://…` moves a stopped installation from SQLite to an empty PostgreSQL database. */
import { backupMessages as messages } from '../operations/backup/backup.messages';
import { getDatabaseFile, removePassword } from '../operations/backup/installation';
import { moveToPostgres } from '../operations/backup/move';
import { readCommandLine, runCommand } from '../operations/command-line/command-line';
import { RuleError } from '../platform/errors/rule-error';

runCommand(async () => {
  const { config, positionals } = readCommandLine(messages.moveUsage);
  const [url, ...rest] = positionals;
  if (!url || rest.length > 0) throw new RuleError('invalid', messages.moveUsage);
  const { rows, tables } = await moveToPostgres(config, url);
  return [messages.moved(getDatabaseFile(config), removePassword(url), rows, tables), messages.setDatabaseUrl];
});
