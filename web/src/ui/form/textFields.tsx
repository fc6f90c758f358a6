import type { ElementProps, TextValue } from './controlProps';
import { Field, type FieldProps } from './Field';
import styles from './Field.module.css';

/** One line of text. `suffix` shows what the product adds, such as the host. */
export function TextField({
  label,
  error,
  hint,
  required,
  optional,
  suffix,
  onChange,
  ...rest
}: FieldProps & TextValue & ElementProps<'input'> & { suffix?: string }) {
  return (
    <Field label={label} error={error} hint={hint} required={required} optional={optional}>
      {(control) => {
        const input = (
          <input className="ui-input" {...control} {...rest} onChange={(event) => onChange?.(event.target.value)} />
        );
        return suffix ? (
          <div className={styles.suffixed}>
            {input}
            <span>{suffix}</span>
          </div>
        ) : (
          input
        );
      }}
    </Field>
  );
}

/** Several lines of text; Ctrl+Enter submits (see `Form`). */
export function TextareaField({
  label,
  error,
  hint,
  required,
  optional,
  onChange,
  ...rest
}: FieldProps & TextValue & ElementProps<'textarea'>) {
  return (
    <Field label={label} error={error} hint={hint} required={required} optional={optional}>
      {(control) => (
        <textarea className="ui-textarea" {...control} {...rest} onChange={(event) => onChange?.(event.target.value)} />
      )}
    </Field>
  );
}

/** A `TextField` for a whole number. */
export const numberInput = (min: number, max: number) => ({ type: 'number', min, max, inputMode: 'numeric' }) as const;

/** A `TextField` for a port. */
export const PORT_INPUT = numberInput(1, 65_535);

/** A `TextField` for what is no prose: names, hosts, patterns. */
export const CODE_INPUT = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const;
