import { type ReactNode, useId } from 'react';
import { uiMessages } from '../ui.messages';
import styles from './Field.module.css';

/** What a labelled control needs. */
export interface FieldProps {
  label: string;
  error?: string;
  hint?: ReactNode;
  required?: boolean;
  /** Says "(opcional)" beside the label. */
  optional?: boolean;
}

interface ControlProps {
  id: string;
  'aria-invalid'?: true;
  'aria-required'?: true;
  'aria-describedby'?: string;
  'aria-errormessage'?: string;
}

/**
 * Label, control, hint and error, tied together. The error's id is in both `aria-describedby` and `aria-errormessage`:
 * few readers know the second.
 */
export function Field({
  label,
  error,
  hint,
  required,
  optional,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const id = useId();
  const hintId = hint ? `${id}hint` : undefined;
  const errorId = error ? `${id}error` : undefined;
  return (
    <div className={styles.field}>
      <label htmlFor={id} data-required={required || undefined}>
        {label}
        {optional && <small>{uiMessages.optional}</small>}
      </label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-required': required ? true : undefined,
        'aria-describedby': [errorId, hintId].filter(Boolean).join(' ') || undefined,
        'aria-errormessage': errorId,
      })}
      {error && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
      {hint && (
        <div id={hintId} className={styles.hint}>
          {hint}
        </div>
      )}
    </div>
  );
}
