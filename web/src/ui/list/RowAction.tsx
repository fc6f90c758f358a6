import type { RowIcon } from '../theme/rowIcons';
import { uiMessages } from '../ui.messages';
import styles from './List.module.css';

interface RowActionProps {
  /** What is seen: "Editar". */
  label: string;
  /** What it is about, for those who do not see the row: "Editar Padaria". */
  of: string;
  icon?: RowIcon;
  danger?: boolean;
  /** In a table the icon stands alone: an act that is not worth the width of its word. */
  quiet?: boolean;
  onClick: () => void;
}

/** An act on one row of a list. A plain element: a list may hold thousands. */
export function RowAction({ label, of, icon, danger, quiet, onClick }: RowActionProps) {
  return (
    <button
      type="button"
      className={styles.action}
      data-icon={icon}
      data-danger={danger || undefined}
      data-quiet={quiet || undefined}
      aria-label={`${label} ${of}`}
      title={icon ? label : undefined}
      onClick={onClick}
    >
      {label}
    </button>
  );
}

type KnownActionProps = Omit<RowActionProps, 'icon' | 'danger' | 'quiet'>;

export const EditAction = (props: KnownActionProps) => <RowAction {...props} icon="pencil" />;

export const RemoveAction = (props: KnownActionProps) => <RowAction {...props} icon="trash" danger />;

/** Opens the drawer of the last requests (`useShowRequests`). */
export const RequestsAction = (props: Omit<KnownActionProps, 'label'>) => (
  <RowAction {...props} label={uiMessages.requests} icon="activity" quiet />
);
