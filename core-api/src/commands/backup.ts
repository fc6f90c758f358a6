/** `npm run backup -- FILE`: an installation in one file, while it runs. */
import { backUp } from '../backup/backup';
import { backupMessages as messages } from '../backup/backup.messages';
import { databaseLabel } from '../backup/installation';
import { RuleError } from '../errors';
import { failStart } from '../start-failure';
import { readCommandLine, runCommand } from './command-line';

runCommand(
  async () => {
    const { config, positionals } = readCommandLine(messages.backupUsage);
    const [path, ...rest] = positionals;
    if (!path || rest.length > 0) throw new RuleError('invalid', messages.backupUsage);
    const { rows, tables } = await backUp(config, path);
    return [messages.backedUp(databaseLabel(config), path, rows, tables)];
  },
  (error) => failStart(error, 'DATABASE_URL'),
);
