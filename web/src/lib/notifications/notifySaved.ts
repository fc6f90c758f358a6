import type { HealthFragment, LiveFragment } from '../graphql/generated/shared';
import { liveMessages as messages } from './live.messages';
import { notify } from './notification';

/** Checks the target of a host and returns its health. */
type Check = () => Promise<{ paused: boolean; health: HealthFragment } | null | undefined>;

/** Maximum time that the notification waits for the check. A working target responds sooner. */
const MAX_WAIT_MS = 1_500;

const resolveAfter = (timeMs: number) => new Promise<undefined>((resolve) => setTimeout(resolve, timeMs, undefined));

/** Returns a text: whether the target of a host responds or is paused, or the reason that its health gives. */
async function describeTargetState(host: string, check: Check): Promise<string> {
  const target = await Promise.race([check().catch(() => undefined), resolveAfter(MAX_WAIT_MS)]);
  if (!target) return messages.unanswered;
  if (target.paused) return messages.paused;
  const { state, reason } = target.health;
  if (reason) return reason;
  return state === 'down' ? messages.unanswered : messages.active(host);
}

/** Notifies that a version of a site was published or activated, and whether the edges serve it. */
export const notifyVersion = (text: string, subject: string, live: LiveFragment | null): Promise<void> =>
  notifySaved(text, subject, live, undefined, messages.activeVersion);

/**
 * Notifies that a host was saved, whether the edges serve it, and whether its target responds.
 * @param live whether the edges serve the save (contract §7); with null, only `text` is shown
 * @param check undefined if the save does not depend on a target
 * @param formatActive returns the note for a host that the edges serve
 */
export async function notifySaved(
  text: string,
  host: string,
  live: LiveFragment | null,
  check?: Check,
  formatActive: (host: string) => string = messages.active,
): Promise<void> {
  if (live?.state === 'refused') notify(messages.refused, { color: 'error', note: live.reason ?? undefined });
  else if (live?.state === 'pending') notify(text, { note: live.reason ?? messages.pending });
  else if (live && check) notify(text, { note: await describeTargetState(host, check) });
  else notify(text, { note: live ? formatActive(host) : undefined });
}
