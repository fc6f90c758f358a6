import { Input, NativeSelect, Textarea } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { Field, type FieldProps } from './Field';
import styles from './Field.module.css';

type Own<Base extends 'input' | 'textarea' | 'select'> = Omit<
  ComponentProps<Base>,
  'value' | 'onChange' | 'id' | 'required' | 'size' | 'color' | 'height' | 'width' | 'children'
>;

interface Text {
  value: string;
  onChange?: (value: string) => void;
}

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
}: FieldProps & Text & Own<'input'> & { suffix?: string }) {
  return (
    <Field label={label} error={error} hint={hint} required={required} optional={optional}>
      {(control) => {
        const input = <Input {...control} {...rest} onChange={(event) => onChange?.(event.target.value)} />;
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
}: FieldProps & Text & Own<'textarea'>) {
  return (
    <Field label={label} error={error} hint={hint} required={required} optional={optional}>
      {(control) => <Textarea {...control} {...rest} onChange={(event) => onChange?.(event.target.value)} />}
    </Field>
  );
}

/** A choice of one from a list. `placeholder` is the empty choice. */
export function SelectField({
  label,
  error,
  hint,
  required,
  optional,
  options,
  placeholder,
  onChange,
  disabled,
  ...rest
}: FieldProps & Text & Own<'select'> & { options: { value: string; label: string }[]; placeholder?: string }) {
  return (
    <Field label={label} error={error} hint={hint} required={required} optional={optional}>
      {(control) => (
        <NativeSelect.Root disabled={disabled}>
          <NativeSelect.Field {...control} {...rest} onChange={(event) => onChange?.(event.target.value)}>
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator>
            <ChevronDown aria-hidden size={16} />
          </NativeSelect.Indicator>
        </NativeSelect.Root>
      )}
    </Field>
  );
}

interface RadioFieldProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** A choice of one from a few that are all in sight. */
export function RadioField<Value extends string>({ label, value, options, onChange }: RadioFieldProps<Value>) {
  const name = useId();
  return (
    <fieldset>
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.choices}>
        {options.map((option) => (
          <label key={option.value} className={styles.choice}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

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
