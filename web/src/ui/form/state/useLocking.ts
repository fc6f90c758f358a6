import { type RefObject, useRef, useState } from 'react';
import { isEqual } from '../../../lib/forms/isEqual';
import { isOutdated } from '../../../lib/userError';
import { type Conflict, type EditedEntity, findDifferences, type Versioned } from './conflict';
import { isWaiting, WAITING, type Waiting } from './waiting';

export interface LockingOptions<Values, Row extends Versioned, Result> {
  /** The entity that others may edit too. Enables optimistic locking. */
  editedEntity?: EditedEntity<Values, Row, Result>;
  /** Sends the values. `version` is the last known version of the entity. If it throws, the form keeps its values. */
  send: (values: Values, version: number | undefined) => Promise<Result | Waiting>;
}

interface LockedForm<Values> {
  /** The values at the opening of the form, or after its last save. */
  saved: RefObject<Values | undefined>;
  getValues: () => Values;
  reset: (saved: Values) => void;
  change: (changes: Partial<Values>) => void;
}

/**
 * Optimistic locking of a form: each save sends the version that was read. If another person has saved since,
 * `conflict` lists that person's changes. `onKeepMine` merges: only the fields that the user changed replace the values
 * of that person. The caller then submits the form again.
 */
export function useLocking<Values extends object, Row extends Versioned, Result>(
  { saved, getValues, reset, change }: LockedForm<Values>,
  { editedEntity, send }: LockingOptions<Values, Row, Result>,
) {
  const version = useRef(editedEntity?.row.version);
  const [theirs, setTheirs] = useState<{ version: number; values: Values; baseValues: Values } | null>(null);

  async function sendLocked(typedValues: Values): Promise<Result | Waiting> {
    try {
      const result = await send(typedValues, version.current);
      if (!isWaiting(result)) version.current = editedEntity?.getVersion?.(result) ?? version.current;
      return result;
    } catch (error) {
      const currentRow = isOutdated(error) ? await editedEntity?.read() : undefined;
      // If the entity was removed, or the read returned the old version, the core's own message is shown.
      if (!editedEntity || !currentRow || !saved.current || currentRow.version === version.current) throw error;
      const currentValues = editedEntity.toValues(currentRow);
      if (findDifferences(editedEntity, saved.current, currentValues, typedValues).length > 0) {
        setTheirs({ version: currentRow.version, values: currentValues, baseValues: saved.current });
        return WAITING;
      }
      // The other person changed no field of this form.
      version.current = currentRow.version;
      return sendLocked(typedValues);
    }
  }

  if (!editedEntity || !theirs) return { sendLocked, conflict: null };
  const { baseValues } = theirs;
  const adoptTheirs = () => {
    version.current = theirs.version;
    reset(theirs.values);
    setTheirs(null);
  };
  const conflict: Conflict = {
    differences: findDifferences(editedEntity, baseValues, theirs.values, getValues()),
    onKeepMine: () => {
      const mine = Object.entries(getValues()).filter(
        ([name, value]) => !isEqual(value, baseValues[name as keyof Values]),
      );
      adoptTheirs();
      change(Object.fromEntries(mine) as Partial<Values>);
    },
    onKeepTheirs: adoptTheirs,
    onClose: () => setTheirs(null),
  };
  return { sendLocked, conflict };
}
