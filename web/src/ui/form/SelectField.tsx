import { ChevronDown } from 'lucide-react';
import type { ElementProps, TextValue } from './controlProps';
import { Field, type FieldProps } from './Field';

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
  ...rest
}: FieldProps &
  TextValue &
  ElementProps<'select'> & { options: { value: string; label: string }[]; placeholder?: string }) {
  return (
    <Field label={label} error={error} hint={hint} required={required} optional={optional}>
      {(control) => (
        <div className="ui-select">
          <select
            className="ui-select-field"
            {...control}
            {...rest}
            onChange={(event) => onChange?.(event.target.value)}
          >
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <div className="ui-select-indicator">
            <ChevronDown aria-hidden size={16} />
          </div>
        </div>
      )}
    </Field>
  );
}
