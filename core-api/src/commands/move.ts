/** `npm run move -- postgres://…`: from SQLite to an empty PostgreSQL, with nothing running. */
import { backupMessages as messages } from '../backup/backup.messages';
import { databaseFile, withoutPassword } from '../backup/installation';
import { moveToPostgres } from '../backup/move';
import { RuleError } from '../errors';
import { failStart } from '../start-failure';
import { readCommandLine, runCommand } from './command-line';

runCommand(
  async () => {
    const { config, positionals } = readCommandLine(messages.moveUsage);
    const [url, ...rest] = positionals;
    if (!url || rest.length > 0) throw new RuleError('invalid', messages.moveUsage);
    const { rows, tables } = await moveToPostgres(config, url);
    return [messages.moved(databaseFile(config), withoutPassword(url), rows, tables), messages.setDatabaseUrl];
  },
  (error) => failStart(error, 'DATABASE_URL'),
);
