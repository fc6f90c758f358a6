import { liveMessages as messages } from './live.messages';
import { notify } from './notification';

/** Whether the edges serve a save (contract §7, "Hosts"). */
interface Live {
  state: 'active' | 'refused' | 'pending';
  /** A sentence for the screen. */
  reason?: string | null;
}

/** Notifies that a host was saved and whether the edges serve it. @param text of the save itself */
export function notifySaved(text: string, host: string, live: Live | null): void {
  if (live?.state === 'refused') notify(messages.refused, { color: 'error', note: live.reason ?? undefined });
  else if (live?.state === 'pending') notify(text, { note: live.reason ?? messages.pending });
  else notify(text, { note: live ? messages.active(host) : undefined });
}
