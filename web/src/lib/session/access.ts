import { createContext, useContext, useSyncExternalStore } from 'react';
import { localStore } from '../browser/safeStorage';
import { createEmitter } from '../store';

/**
 * Rights of the logged-in account, from `GET /me`. The server enforces them; the console only hides refused actions.
 */
export interface Access {
  role: 'viewer' | 'operator' | 'administrator';
  /** Ids of the only projects that the account may use; null if the account is not limited. */
  projects: readonly string[] | null;
}

const KEY = 'access';
const FULL_ACCESS: Access = { role: 'administrator', projects: null };
const changes = createEmitter();
let cached: { text: string | null; access: Access } = { text: null, access: FULL_ACCESS };

function parseAccess(text: string | null): Access {
  try {
    const { role, projects } = JSON.parse(text ?? '{}');
    const isKnown = role === 'viewer' || role === 'operator' || role === 'administrator';
    return isKnown ? { role, projects: Array.isArray(projects) ? projects : null } : FULL_ACCESS;
  } catch {
    return FULL_ACCESS;
  }
}

/** Reads the rights that this or another tab has stored, so that the first paint after a reload hides controls. */
function readStoredAccess(): Access {
  const text = localStore.get(KEY);
  if (text !== cached.text) cached = { text, access: parseAccess(text) };
  return cached.access;
}

/** Stores the rights that the server returned. */
export function rememberAccess({ role, projects }: Access): void {
  const text = JSON.stringify({ role, projects });
  if (text === localStore.get(KEY)) return;
  localStore.set(KEY, text);
  changes.emit();
}

/** Removes the rights of the previous account; called at the login of another account. */
export const forgetAccess = (): void => localStore.remove(KEY);

/** True around content that only administrators may change. In such content `canWrite` is false for operators, too. */
export const AdministratorsOnlyContext = createContext(false);

/** The rights of the logged-in account. Before the first response of the server, everything is shown. */
export function useAccess() {
  const { role, projects } = useSyncExternalStore(changes.subscribe, readStoredAccess, () => FULL_ACCESS);
  const isLimited = projects !== null;
  const isAdministrator = role === 'administrator' && !isLimited;
  return {
    role,
    isLimited,
    canWrite: useContext(AdministratorsOnlyContext) ? isAdministrator : role !== 'viewer',
    canCreateProjects: role !== 'viewer' && !isLimited,
    isAdministrator,
  };
}
