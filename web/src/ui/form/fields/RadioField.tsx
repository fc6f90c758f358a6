import { RadioGroup } from '@chakra-ui/react';
import { OVERLAID_INPUT } from './overlaid';

interface RadioFieldProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** A choice of one option from a few visible options. */
export function RadioField<Value extends string>({ label, value, options, onChange }: RadioFieldProps<Value>) {
  const select = (chosen: string | null) => {
    const option = options.find((candidate) => candidate.value === chosen);
    if (option) onChange(option.value);
  };
  return (
    <RadioGroup.Root value={value} onValueChange={({ value: chosen }) => select(chosen)}>
      <RadioGroup.Label>{label}</RadioGroup.Label>
      <div data-count={options.length}>
        {options.map((option) => (
          <RadioGroup.Item key={option.value} value={option.value}>
            <RadioGroup.ItemHiddenInput style={OVERLAID_INPUT} />
            <RadioGroup.ItemIndicator />
            <RadioGroup.ItemText>{option.label}</RadioGroup.ItemText>
          </RadioGroup.Item>
        ))}
      </div>
    </RadioGroup.Root>
  );
}
