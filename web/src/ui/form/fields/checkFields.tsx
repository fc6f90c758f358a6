import { Checkbox, Fieldset, Flex, Grid } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { OVERLAID_INPUT } from './overlaid';

interface CheckFieldProps {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

export function CheckField({ label, checked, onChange, disabled }: CheckFieldProps) {
  return (
    <Checkbox.Root
      checked={checked}
      disabled={disabled}
      onCheckedChange={({ checked: next }) => onChange(next === true)}
    >
      <Checkbox.HiddenInput style={OVERLAID_INPUT} />
      <Checkbox.Control />
      <Checkbox.Label>{label}</Checkbox.Label>
    </Checkbox.Root>
  );
}

interface CheckGroupProps {
  label: string;
  error?: string;
  required?: boolean;
  children: ReactNode;
}

/** Several checkboxes with one label and one error. */
export const CheckGroup = ({ label, error, required, children }: CheckGroupProps) => (
  <Fieldset.Root
    invalid={Boolean(error)}
    // An invalid element takes the focus after a refused submit.
    aria-invalid={error ? true : undefined}
    tabIndex={error ? -1 : undefined}
  >
    <Fieldset.Legend data-required={required || undefined}>{label}</Fieldset.Legend>
    {children}
    {error && <Fieldset.ErrorText aria-live="off">{error}</Fieldset.ErrorText>}
  </Fieldset.Root>
);

interface CheckListProps<Value> extends Omit<CheckGroupProps, 'children'> {
  options: readonly { value: Value; label: string }[];
  value: readonly Value[];
  onChange: (chosen: Value[]) => void;
  /** Whether the options are side by side. */
  isInline?: boolean;
  hint?: string;
}

/** A list with more options scrolls in a frame with columns, so that the fields below it stay near. */
const MAX_UNFRAMED = 8;
const frameCss = {
  templateColumns: 'repeat(auto-fill, minmax(min(100%, 200px), 1fr))',
  columnGap: '4',
  maxH: '216px',
  px: '4',
  py: '1',
  borderWidth: '1px',
  borderColor: 'border',
  borderRadius: 'sm',
  overflowY: 'auto',
} as const;

/** Checkboxes for a choice of several options from a list. */
export const CheckList = <Value extends string | number>({
  options,
  value,
  onChange,
  isInline,
  hint,
  ...group
}: CheckListProps<Value>) => {
  const boxes = options.map((option) => (
    <CheckField
      key={option.value}
      label={option.label}
      checked={value.includes(option.value)}
      onChange={(isChosen) => onChange(toggleItem(value, option.value, isChosen))}
    />
  ));
  return (
    <CheckGroup {...group}>
      {options.length > MAX_UNFRAMED ? (
        <Grid layerStyle="scroller" {...frameCss}>
          {boxes}
        </Grid>
      ) : (
        <Flex direction={isInline ? 'row' : 'column'} wrap="wrap" columnGap="5">
          {boxes}
        </Flex>
      )}
      {hint && <small>{hint}</small>}
    </CheckGroup>
  );
};

/** Returns the chosen items, with `value` added or removed. */
export const toggleItem = <Value,>(chosen: readonly Value[], value: Value, isChosen: boolean): Value[] => [
  ...chosen.filter((other) => other !== value),
  ...(isChosen ? [value] : []),
];
