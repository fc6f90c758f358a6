import { type ReactNode, useId } from 'react';
import styles from './Field.module.css';

interface CheckFieldProps {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** Yes or no. */
export function CheckField({ label, checked, onChange, disabled }: CheckFieldProps) {
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
}

interface CheckGroupProps {
  label: string;
  error?: string;
  required?: boolean;
  children: ReactNode;
}

/** Several `CheckField`s with one label and one error. */
export function CheckGroup({ label, error, required, children }: CheckGroupProps) {
  const errorId = useId();
  return (
    <fieldset
      aria-describedby={error ? errorId : undefined}
      aria-invalid={error ? true : undefined}
      tabIndex={error ? -1 : undefined}
    >
      <legend className={styles.legend} data-required={required || undefined}>
        {label}
      </legend>
      {children}
      {error && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** The chosen ones of a group after one of them was switched on or off. */
export const toggled = <Value,>(chosen: readonly Value[], value: Value, on: boolean): Value[] => [
  ...chosen.filter((other) => other !== value),
  ...(on ? [value] : []),
];
