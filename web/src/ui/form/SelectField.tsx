import { NativeSelect } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ElementProps } from './controlProps';
import { Field, type FieldProps } from './Field';

interface SelectOption {
  value: string;
  label: string;
}

interface SelectProps extends Omit<ElementProps<'select'>, 'onChange'> {
  value: string;
  onChange: (value: string) => void;
  options: readonly SelectOption[];
  /** The empty choice. */
  placeholder?: string;
}

/** Chakra's select with the options of a list. Without a `SelectField` around it, `aria-label` names it. */
export function Select({ options, placeholder, onChange, className, ...rest }: SelectProps): ReactNode {
  return (
    <NativeSelect.Root className={className}>
      <NativeSelect.Field {...rest} onChange={(event) => onChange(event.target.value)}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </NativeSelect.Field>
      <NativeSelect.Indicator>
        <ChevronDown aria-hidden />
      </NativeSelect.Indicator>
    </NativeSelect.Root>
  );
}

/** A choice of one from a list. */
export function SelectField({ label, error, hint, required, optional, ...rest }: FieldProps & SelectProps) {
  return (
    <Field label={label} error={error} hint={hint} required={required} optional={optional}>
      {(control) => <Select {...control} {...rest} />}
    </Field>
  );
}
