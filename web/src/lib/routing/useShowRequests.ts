import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { isObject } from '../isObject';
import { useDialogParam } from './useDialogParam';

const SUBJECT_KINDS = ['chave', 'rota', 'subdominio', 'tenant'] as const;
type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** The subject whose last requests are shown. */
export interface RequestSubject {
  kind: SubjectKind | 'todas';
  id: string;
  /** Name for the title. Empty for `todas`, or if the page was opened by its URL. */
  name: string;
}

const DIALOGS = ['requisicoes'] as const;
const ALL = 'todas';

/** Parses the subject in the URL: `chave-019a…`, `todas`. */
export function parseSubject(text: string | null, name = ''): RequestSubject | null {
  if (text === ALL) return { kind: ALL, id: '', name: '' };
  const kind = SUBJECT_KINDS.find((candidate) => text?.startsWith(`${candidate}-`));
  return kind && text ? { kind, id: text.slice(kind.length + 1), name } : null;
}

/** The state of a link or a navigation that opens the drawer: the name for its title. */
export const toRequestsState = (name: string) => ({ requestsOf: name });

/**
 * The state of the drawer with the last requests. Every screen of the console can open it
 * (`?requisicoes=chave-<id>&status=5xx`).
 */
export function useRequestsDialog() {
  const { id, close } = useDialogParam(DIALOGS);
  const state: unknown = useLocation().state;
  const [params] = useSearchParams();
  const name = isObject(state) && typeof state.requestsOf === 'string' ? state.requestsOf : '';
  return { subject: parseSubject(id, name), status: params.get('status') ?? '', close };
}

/** Returns a function that opens the drawer: `show('tenant', tenant._id, tenant.name)`, or `show('todas')` for all. */
export function useShowRequests() {
  const { open } = useDialogParam(DIALOGS);
  return useCallback(
    (kind: RequestSubject['kind'], id = '', name = '') =>
      open('requisicoes', kind === ALL ? ALL : `${kind}-${id}`, toRequestsState(name)),
    [open],
  );
}
