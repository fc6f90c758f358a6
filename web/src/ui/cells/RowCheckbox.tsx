import type { ReactNode } from 'react';
import styles from './cells.module.css';

interface RowCheckboxProps {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

/**
 * A checkbox in a long list. It is a native element, because a dialog with 205 of Chakra's checkboxes takes five times
 * as long to open (docs/decisions/134).
 */
export const RowCheckbox = ({ label, checked, onChange, disabled }: RowCheckboxProps) => (
  <label className={styles.check}>
    <input type="checkbox" checked={checked} disabled={disabled} onChange={({ target }) => onChange(target.checked)} />
    {label}
  </label>
);
