import { currentAccount } from './session';
import { sessionStore } from './storage';

const PREFIX = 'draft:';

interface Draft {
  /** Username; another account never sees the draft. */
  account: string;
  /** The saved values that it started from. */
  base: Record<string, unknown>;
  values: Record<string, unknown>;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function parsed(text: string): Draft | null {
  let draft: unknown;
  try {
    draft = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(draft) || !isObject(draft.base) || !isObject(draft.values)) return null;
  const { account, base, values } = draft;
  return typeof account === 'string' ? { account, base, values } : null;
}

/** The draft of a form, if it is this account's. */
export function readDraft(name: string): Draft | null {
  const text = sessionStore.get(PREFIX + name);
  const draft = text === null ? null : parsed(text);
  return draft?.account === currentAccount() ? draft : null;
}

/** Kept until it is saved or discarded, or its author logs out. */
export function saveDraft<Values extends object>(name: string, base: Values, values: Values): void {
  sessionStore.set(PREFIX + name, JSON.stringify({ account: currentAccount(), base, values }));
}

export const removeDraft = (name: string): void => sessionStore.remove(PREFIX + name);

/** Removes every draft, at a logout. */
export function removeAllDrafts(): void {
  for (const key of sessionStore.keys()) if (key.startsWith(PREFIX)) sessionStore.remove(key);
}
