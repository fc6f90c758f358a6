import type { ReactNode } from 'react';
import styles from './List.module.css';

interface RowActionProps {
  /** What is seen: "Editar". */
  label: string;
  /** What it is about, for those who do not see the row: "Editar Padaria". */
  of: string;
  icon?: ReactNode;
  danger?: boolean;
  onClick: () => void;
}

/** An act on one row of a list. A plain element: a list may hold thousands. */
export function RowAction({ label, of, icon, danger, onClick }: RowActionProps) {
  return (
    <button
      type="button"
      className={styles.action}
      data-danger={danger || undefined}
      aria-label={`${label} ${of}`}
      title={icon ? label : undefined}
      onClick={onClick}
    >
      {icon}
      <span>{label}</span>
    </button>
  );
}
