/** `npm run restore -- FILE` replaces a stopped installation by a backup. */
import { existsSync } from 'node:fs';
import { backupMessages as messages } from '../operations/backup/backup.messages';
import { getDatabaseLabel } from '../operations/backup/installation';
import { restoreFile } from '../operations/backup/restore-encrypted';
import { readCommandLine, runCommand } from '../operations/command-line/command-line';
import { RuleError } from '../platform/errors/rule-error';
import { parseStaticPath } from '../platform/net/static-root';

runCommand(async () => {
  const { config, positionals, options } = readCommandLine(messages.restoreUsage, ['passphrase-file']);
  const [path, ...rest] = positionals;
  if (!path || rest.length > 0) throw new RuleError('invalid', messages.restoreUsage);
  const { createdAt, rows, tables, previousData, siteFiles, undeletedEdgeSnapshot, staticPaths } = await restoreFile(
    config,
    path,
    options['passphrase-file'],
  );
  const unusable = staticPaths.filter((folder) => !existsSync(folder) || !parseStaticPath(folder, config.STATIC_RULES));
  return [
    messages.restored(getDatabaseLabel(config), createdAt, rows, tables),
    messages.restoredSites(siteFiles),
    ...(unusable.length === 0 ? [] : [messages.unusableStaticPaths(unusable)]),
    ...previousData.map((folder) => messages.oldFiles(folder)),
    ...(undeletedEdgeSnapshot === undefined ? [] : [messages.undeletedEdgeSnapshot(undeletedEdgeSnapshot)]),
    messages.startNow,
  ];
});
