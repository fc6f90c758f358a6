/** `npm run restore -- FILE`: replaces a stopped installation by a backup. */
import { backupMessages as messages } from '../backup/backup.messages';
import { databaseLabel } from '../backup/installation';
import { restore } from '../backup/restore';
import { RuleError } from '../errors';
import { failStart } from '../start-failure';
import { readCommandLine, runCommand } from './command-line';

runCommand(
  async () => {
    const { config, positionals } = readCommandLine(messages.restoreUsage);
    const [path, ...rest] = positionals;
    if (!path || rest.length > 0) throw new RuleError('invalid', messages.restoreUsage);
    const { createdAt, rows, tables, before } = await restore(config, path);
    return [
      messages.restored(databaseLabel(config), createdAt, rows, tables),
      ...before.map((where) => messages.oldFiles(where)),
      messages.startNow,
    ];
  },
  (error) => failStart(error, 'DATABASE_URL'),
);
