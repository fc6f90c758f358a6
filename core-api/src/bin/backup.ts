/** `npm run backup -- FILE` copies a running installation into one file, with the files of its sites by default. */
import { backUp } from '../operations/backup/backup';
import { backupMessages as messages } from '../operations/backup/backup.messages';
import { getDatabaseLabel } from '../operations/backup/installation';
import { isSitesChoice } from '../operations/backup/site-files';
import { readCommandLine, runCommand } from '../operations/command-line/command-line';
import { RuleError } from '../platform/errors/rule-error';

runCommand(async () => {
  const { config, positionals, options } = readCommandLine(messages.backupUsage, ['sites']);
  const choice = options.sites ?? 'live';
  const [path, ...rest] = positionals;
  if (!path || rest.length > 0 || !isSitesChoice(choice)) throw new RuleError('invalid', messages.backupUsage);
  const { rows, tables, sites } = await backUp(config, path, choice);
  return [messages.backedUp(getDatabaseLabel(config), path, rows, tables), ...messages.sites(choice, sites)];
});
