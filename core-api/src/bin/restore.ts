/** `npm run restore -- FILE`: replaces a stopped installation by a backup. */
import { backupMessages as messages } from '../operations/backup/backup.messages';
import { databaseLabel } from '../operations/backup/installation';
import { restoreFile } from '../operations/backup/restore-encrypted';
import { readCommandLine, runCommand } from '../operations/command-line/command-line';
import { RuleError } from '../platform/errors';

runCommand(async () => {
  const { config, positionals, options } = readCommandLine(messages.restoreUsage, ['passphrase-file']);
  const [path, ...rest] = positionals;
  if (!path || rest.length > 0) throw new RuleError('invalid', messages.restoreUsage);
  const { createdAt, rows, tables, previousData, siteFiles, remainingSnapshot } = await restoreFile(
    config,
    path,
    options['passphrase-file'],
  );
  return [
    messages.restored(databaseLabel(config), createdAt, rows, tables),
    messages.restoredSites(siteFiles),
    ...previousData.map((where) => messages.oldFiles(where)),
    ...(remainingSnapshot === undefined ? [] : [messages.remainingSnapshot(remainingSnapshot)]),
    messages.startNow,
  ];
});
