import { Input, Textarea } from '@chakra-ui/react';
import type { ElementProps } from './controlProps';
import { Field, type FieldProps } from './Field';
import styles from './form.module.css';

/** One line of text. `suffix` shows a part that the product adds, such as the host. */
export function TextField({
  label,
  error,
  hint,
  required,
  optional,
  suffix,
  ...rest
}: FieldProps & ElementProps<'input'> & { suffix?: string }) {
  return (
    <Field label={label} error={error} hint={hint} required={required} optional={optional}>
      {(control) => {
        const input = <Input {...control} {...rest} />;
        if (!suffix) return input;
        return (
          <div className={styles.suffixed}>
            {input}
            <span>{suffix}</span>
          </div>
        );
      }}
    </Field>
  );
}

/** Several lines of text. Ctrl+Enter submits (see `Form`). */
export function TextareaField({
  label,
  error,
  hint,
  required,
  optional,
  ...rest
}: FieldProps & ElementProps<'textarea'>) {
  return (
    <Field label={label} error={error} hint={hint} required={required} optional={optional}>
      {(control) => <Textarea {...control} {...rest} />}
    </Field>
  );
}

/** Props of a `TextField` for a whole number. */
export const numberInput = (min: number, max: number) => ({ type: 'number', min, max, inputMode: 'numeric' }) as const;

/** Props of a `TextField` for a port. */
export const PORT_INPUT = numberInput(1, 65_535);

/** Props of a `TextField` for names, hosts and patterns, which no spelling check understands. */
export const CODE_INPUT = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const;
