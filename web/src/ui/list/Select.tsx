import { useId } from 'react';
import styles from './Select.module.css';

interface SelectProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** A choice above a list; `label` is its accessible name. */
export const Select = ({ id, label, value, options, onChange }: SelectProps & { id?: string }) => (
  <select
    id={id}
    className={styles.control}
    aria-label={label}
    value={value}
    onChange={({ target }) => onChange(target.value)}
  >
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))}
  </select>
);

/** A `Select` below its label. */
export function LabelledSelect(props: SelectProps) {
  const id = useId();
  return (
    <label className={styles.labelled} htmlFor={id}>
      {props.label}
      <Select id={id} {...props} />
    </label>
  );
}
