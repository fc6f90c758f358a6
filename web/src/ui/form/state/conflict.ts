import { isEqual } from '../../../lib/forms/isEqual';
import { uiMessages } from '../../ui.messages';

/** A row whose version counts its changes. */
export interface Versioned {
  version: number;
}

/** The entity that a form edits, and that others may edit at the same time. */
export interface EditedEntity<Values, Row extends Versioned, Result = unknown> {
  /** The entity at the opening of the form. */
  row: Row;
  /** Reads the saved entity. Null or undefined if it was removed. */
  read: () => Promise<Row | null | undefined>;
  toValues: (row: Row) => Values;
  /** Labels of the fields. Only fields with a label are compared. */
  labels: Partial<Record<keyof Values & string, string>>;
  /** Returns the text of a value, or undefined if the value itself is shown. */
  format?: (field: keyof Values & string, value: unknown) => string | undefined;
  /** Returns the version after a save, for a form that stays open. */
  getVersion?: (result: Result) => number | undefined;
}

/** A field that another person has changed, with its values as texts. */
interface Difference {
  field: string;
  label: string;
  /** The value when the form was opened. */
  before: string;
  /** The value that the other person saved. */
  theirs: string;
  /** The value in this form; null if it equals `before` or `theirs`. */
  mine: string | null;
}

export interface Conflict {
  differences: readonly Difference[];
  /** Saves the fields that were changed here, and keeps the saved values of the other fields. */
  onKeepMine: () => void;
  onKeepTheirs: () => void;
  /** Returns to the form without a decision. */
  onClose: () => void;
}

const { yes, no, nothing } = uiMessages.conflict;

function toText(value: unknown): string {
  if (typeof value === 'boolean') return value ? yes : no;
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
  return text.trim() === '' ? nothing : text;
}

/** Returns the fields in which `theirValues` differs from `initialValues`, the values at the opening of the form. */
export function findDifferences<Values extends object>(
  { labels, format }: Pick<EditedEntity<Values, never>, 'labels' | 'format'>,
  initialValues: Values,
  theirValues: Values,
  myValues: Values,
): Difference[] {
  const fields = Object.keys(initialValues) as (keyof Values & string)[];
  const formatField = (field: keyof Values & string, values: Values) =>
    format?.(field, values[field]) ?? toText(values[field]);
  return fields
    .filter((field) => labels[field] && !isEqual(theirValues[field], initialValues[field]))
    .map((field) => ({
      field,
      label: labels[field] ?? field,
      before: formatField(field, initialValues),
      theirs: formatField(field, theirValues),
      mine:
        isEqual(myValues[field], initialValues[field]) || isEqual(myValues[field], theirValues[field])
          ? null
          : formatField(field, myValues),
    }));
}
