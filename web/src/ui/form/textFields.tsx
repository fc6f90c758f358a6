import { Input, Textarea } from '@chakra-ui/react';
import type { ElementProps } from './controlProps';
import { Field, type FieldProps, splitFieldProps } from './Field';
import styles from './form.module.css';

/** One line of text. `suffix` shows a part that the product adds, such as the host. */
export function TextField({ suffix, ...props }: FieldProps & ElementProps<'input'> & { suffix?: string }) {
  const [field, rest] = splitFieldProps(props);
  return (
    <Field {...field}>
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
export function TextareaField(props: FieldProps & ElementProps<'textarea'>) {
  const [field, rest] = splitFieldProps(props);
  return <Field {...field}>{(control) => <Textarea {...control} {...rest} />}</Field>;
}

/** Props of a `TextField` for a whole number. */
export const numberInput = (min: number, max: number) => ({ type: 'number', min, max, inputMode: 'numeric' }) as const;

/** Props of a `TextField` for a port. */
export const PORT_INPUT = numberInput(1, 65_535);

/** Props of a `TextField` for names, hosts and patterns, which no spelling check understands. */
export const CODE_INPUT = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const;
