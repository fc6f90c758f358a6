import { useRef, useState } from 'react';
import { isOutdated } from '../../lib/failure';
import { isEqual } from '../../lib/isEqual';
import { uiMessages } from '../ui.messages';

/** The entity that a form edits, which others may edit at the same time. */
export interface Edited<Values, Result = unknown> {
  /** The version that the form was opened with. */
  version: number;
  /** Reads the saved state; undefined when the entity was removed. */
  read: () => Promise<{ version: number; values: Values } | undefined>;
  /** Labels of the fields; only these are compared. */
  names: Partial<Record<keyof Values & string, string>>;
  /** Text of a value that is not its own text. */
  show?: (field: keyof Values & string, value: unknown) => string | undefined;
  /** For a form that stays open: the version after a save. */
  versionOf?: (result: Result) => number | undefined;
}

/** A field that somebody else has changed, with its values as texts. */
interface Difference {
  field: string;
  name: string;
  /** The value when the form was opened. */
  before: string;
  /** The value that was saved meanwhile. */
  theirs: string;
  /** The value in this form, where it differs. */
  mine: string | null;
}

/** Props of `ConflictDialog`. */
export interface Conflict {
  differences: readonly Difference[];
  onKeepMine: () => void;
  onKeepTheirs: () => void;
  /** Returns to the form without a decision. */
  onClose: () => void;
}

const { yes, no, nothing } = uiMessages.conflict;

function words(value: unknown): string {
  if (typeof value === 'boolean') return value ? yes : no;
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
  return text.trim() === '' ? nothing : text;
}

/** Thrown where a send waits for a decision; it counts as aborted (`isAbort`). */
const interrupted = () => new DOMException('Somebody else has saved meanwhile.', 'AbortError');

interface ConflictOptions<Values, Result> {
  edited: Edited<Values, Result> | undefined;
  values: Values;
  /** The form's initial values. */
  saved: Values;
  /** Sets the saved values, and the shown ones. */
  rebase: (saved: Values, values: Values) => void;
}

/**
 * Optimistic locking of a form: a send names the version that was read. If somebody else has saved since, the conflict lists
 * what they changed; the person's own changes are then sent again over theirs, or discarded. A change outside of the form's
 * fields is no conflict.
 * @returns `guard` wraps each call; `conflict` while a decision is needed; a count that grows each time the own changes were
 * chosen and the form must be sent again
 */
export function useConflict<Values extends object, Result>({
  edited,
  values,
  saved,
  rebase,
}: ConflictOptions<Values, Result>) {
  const version = useRef(edited?.version);
  const [theirs, setTheirs] = useState<{ version: number; values: Values } | null>(null);
  const [resends, setResends] = useState(0);

  const fields = Object.keys(edited?.names ?? {}) as (keyof Values & string)[];
  const isChanged = (field: keyof Values & string, now: Values) => !isEqual(now[field], saved[field]);
  const inWords = (field: keyof Values & string, of: Values) => edited?.show?.(field, of[field]) ?? words(of[field]);

  async function guard(send: (version: number | undefined) => Promise<Result>): Promise<Result> {
    try {
      const result = await send(version.current);
      version.current = edited?.versionOf?.(result) ?? version.current;
      return result;
    } catch (error) {
      const now = isOutdated(error) ? await edited?.read() : undefined;
      // The entity was removed, or the read returned the old version: the core's own sentence is shown.
      if (!now || now.version === version.current) throw error;
      if (!fields.some((field) => isChanged(field, now.values))) {
        version.current = now.version;
        return guard(send);
      }
      setTheirs(now);
      throw interrupted();
    }
  }

  function resolve(show: (now: Values) => Values): void {
    if (!theirs) return;
    version.current = theirs.version;
    rebase(theirs.values, show(theirs.values));
    setTheirs(null);
  }

  const conflict: Conflict | null = theirs && {
    differences: fields
      .filter((field) => isChanged(field, theirs.values))
      .map((field) => ({
        field,
        name: edited?.names[field] ?? field,
        before: inWords(field, saved),
        theirs: inWords(field, theirs.values),
        mine: isChanged(field, values) && !isEqual(values[field], theirs.values[field]) ? inWords(field, values) : null,
      })),
    onKeepMine: () => {
      const typed = Object.entries(values).filter(([field]) => isChanged(field as keyof Values & string, values));
      resolve((now) => ({ ...now, ...Object.fromEntries(typed) }));
      setResends((times) => times + 1);
    },
    onKeepTheirs: () => resolve((now) => now),
    onClose: () => setTheirs(null),
  };

  return { guard, conflict, resends };
}
