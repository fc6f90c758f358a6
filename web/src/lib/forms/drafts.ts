import { sessionStore } from '../browser/safeStorage';
import { isObject } from '../isObject';
import { getAccount } from '../session/session';
import { isEqual } from './isEqual';

const PREFIX = 'draft:';

interface Draft {
  /** Username of the author. No other account sees the draft. */
  account: string;
  /** The saved values at the start of the draft. */
  base: Record<string, unknown>;
  values: Record<string, unknown>;
}

function parseDraft(text: string): Draft | null {
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

/** Returns the stored draft of a form if it belongs to this account. */
function readDraft(name: string): Draft | null {
  const text = sessionStore.get(PREFIX + name);
  const draft = text === null ? null : parseDraft(text);
  return draft?.account === getAccount() ? draft : null;
}

/** Stores a draft until the form is saved or discarded, or its author logs out. */
export function saveDraft<Values extends object>(name: string, base: Values, values: Values): void {
  sessionStore.set(PREFIX + name, JSON.stringify({ account: getAccount(), base, values }));
}

export const removeDraft = (name: string): void => sessionStore.remove(PREFIX + name);

/** Removes every draft, at a logout. */
export function removeAllDrafts(): void {
  for (const key of sessionStore.keys()) if (key.startsWith(PREFIX)) sessionStore.remove(key);
}

/**
 * Returns the fields that a stored draft changes: only fields that exist in `saved` with the same type. Other fields
 * show the saved values, however old the draft is. `isOutdated` is true if the saved values of these fields have
 * changed since the start of the draft.
 */
export function restoreDraft<Values extends object>(
  name: string,
  saved: Values,
): { values: Partial<Values>; isOutdated: boolean } | null {
  const draft = readDraft(name);
  if (!draft) return null;
  const changedFields = Object.entries(saved).filter(
    ([field, value]) =>
      typeof draft.values[field] === typeof value &&
      !isEqual(draft.values[field], draft.base[field]) &&
      !isEqual(draft.values[field], value),
  );
  if (changedFields.length === 0) return null;
  return {
    values: Object.fromEntries(changedFields.map(([field]) => [field, draft.values[field]])) as Partial<Values>,
    isOutdated: changedFields.some(([field, value]) => !isEqual(value, draft.base[field])),
  };
}
