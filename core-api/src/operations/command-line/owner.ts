import { statSync } from 'node:fs';
import { RuleError } from '../../platform/errors';
import { commandMessages as messages } from './command-line.messages';

/**
 * Makes the process the owner of `folder`, so that the service can use the files that it writes. Root becomes that
 * user; any other user is refused.
 * @throws RuleError invalid
 */
export function becomeOwner(folder: string): void {
  const stat = statSync(folder, { throwIfNoEntry: false });
  const user = process.geteuid?.();
  if (!stat || user === undefined || stat.uid === user) return;
  if (user !== 0) throw new RuleError('invalid', messages.otherOwner(folder, stat.uid));
  // Also takes the folder's group, which core and edge may share.
  process.setgroups?.([stat.gid]);
  process.setgid?.(stat.gid);
  process.setuid?.(stat.uid);
}
