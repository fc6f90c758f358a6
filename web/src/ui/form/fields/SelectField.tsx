import { NativeSelect } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ElementProps } from './controlProps';
import { Field, type FieldProps, splitFieldProps } from './Field';

interface SelectProps<Value extends string> extends Omit<ElementProps<'select'>, 'onChange'> {
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string }[];
  placeholder?: string;
}

/** Chakra's select with the options of a list. Outside of a `SelectField` it needs an `aria-label`. */
export function Select<Value extends string>({
  options,
  placeholder,
  onChange,
  className,
  ...rest
}: SelectProps<Value>): ReactNode {
  return (
    <NativeSelect.Root className={className}>
      {/* The browser offers only the values of the options and, with a placeholder, '', which `Value` must include. */}
      <NativeSelect.Field {...rest} onChange={(event) => onChange(event.target.value as Value)}>
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

/** A choice of one option from a list. */
export function SelectField<Value extends string>(props: FieldProps & SelectProps<Value>) {
  const [field, rest] = splitFieldProps(props);
  return <Field {...field}>{(control) => <Select {...control} {...rest} />}</Field>;
}
