import { statSync } from 'node:fs';
import { RuleError } from '../errors';
import { commandMessages as messages } from './commands.messages';

/**
 * A command works as the owner of the data: what it writes is the service's then. The administrator of the machine becomes
 * that user, anybody else is refused.
 * @throws RuleError invalid
 */
export function becomeOwner(folder: string): void {
  const stat = statSync(folder, { throwIfNoEntry: false });
  const user = process.geteuid?.();
  if (!stat || user === undefined || stat.uid === user) return;
  if (user !== 0) throw new RuleError('invalid', messages.otherOwner(folder, stat.uid));
  // The group's permissions too: those of the folder, which core and edge may share.
  process.setgroups?.([stat.gid]);
  process.setgid?.(stat.gid);
  process.setuid?.(stat.uid);
}
