import { type RefObject, useRef, useState } from 'react';
import { isEqual } from '../../lib/isEqual';
import { isOutdated } from '../../lib/userError';
import { type Conflict, differencesOf, type EditedEntity, type Versioned } from './conflict';

/** The error of a send that waits for a decision of the person. It counts as aborted (`isAbort`). */
export const interrupted = () => new DOMException('The form waits for the person.', 'AbortError');

interface LockingOptions<Values, Row extends Versioned, Result> {
  edited: EditedEntity<Values, Row, Result> | undefined;
  send: (values: Values, version: number | undefined) => Promise<Result>;
  /** The values that the form was opened with, or saved last. */
  saved: RefObject<Values | undefined>;
  /** The values of the form. */
  values: Values;
  reset: (saved: Values) => void;
  change: (changes: Partial<Values>) => void;
  submit: () => void;
}

/**
 * Optimistic locking of a form: a send names the version that was read. If another person has saved since, `conflict` lists
 * their changes. The person can then send their own values again, which replace the others field by field.
 */
export function useLocking<Values extends object, Row extends Versioned, Result>({
  edited,
  send,
  saved,
  values,
  reset,
  change,
  submit,
}: LockingOptions<Values, Row, Result>) {
  const version = useRef(edited?.row.version);
  const [theirs, setTheirs] = useState<{ version: number; values: Values } | null>(null);

  async function sendLocked(typed: Values): Promise<Result> {
    try {
      const result = await send(typed, version.current);
      version.current = edited?.versionOf?.(result) ?? version.current;
      return result;
    } catch (error) {
      const now = isOutdated(error) ? await edited?.read() : undefined;
      // The entity was removed, or the read returned the old version: the core's own message is shown.
      if (!edited || !now || !saved.current || now.version === version.current) throw error;
      const found = edited.valuesOf(now);
      if (differencesOf(edited, saved.current, found, typed).length > 0) {
        setTheirs({ version: now.version, values: found });
        throw interrupted();
      }
      // The others changed nothing that this form shows.
      version.current = now.version;
      return sendLocked(typed);
    }
  }

  if (!edited || !theirs || !saved.current) return { sendLocked, conflict: null };
  const before = saved.current;
  const adopt = () => {
    version.current = theirs.version;
    reset(theirs.values);
    setTheirs(null);
  };
  const conflict: Conflict = {
    differences: differencesOf(edited, before, theirs.values, values),
    onKeepMine: () => {
      const mine = Object.entries(values).filter(([name, value]) => !isEqual(value, before[name as keyof Values]));
      adopt();
      change(Object.fromEntries(mine) as Partial<Values>);
      submit();
    },
    onKeepTheirs: adopt,
    onClose: () => setTheirs(null),
  };
  return { sendLocked, conflict };
}
