import { createContext, useContext } from 'react';
import { useAccess } from '../../../lib/session/access';
import type { RowIcon } from '../../theme/rowIcons';
import { uiMessages } from '../../ui.messages';
import { listMessages } from '../list.messages';
import styles from './List.module.css';

/** The name of the row around an action, which screen readers announce after the action's word: "Editar Padaria". */
export const RowNameContext = createContext('');

interface RowActionProps {
  /** The visible word: "Editar". */
  label: string;
  icon?: RowIcon;
  isDanger?: boolean;
  /** Whether only the icon is shown, as in a narrow table. */
  isIconOnly?: boolean;
  /** Whether viewers see the action too, because it changes nothing or only their own data. */
  allowViewers?: boolean;
  isPending?: boolean;
  onClick: () => void;
}

/** An action on one row of a list, hidden from viewers. It is a native element (docs/decisions/134). */
export function RowAction({ label, icon, isDanger, isIconOnly, allowViewers, isPending, onClick }: RowActionProps) {
  const { canWrite } = useAccess();
  const rowName = useContext(RowNameContext);
  if (!canWrite && !allowViewers) return null;
  return (
    <button
      type="button"
      className={styles.action}
      data-icon={icon}
      data-danger={isDanger || undefined}
      data-icon-only={isIconOnly || undefined}
      aria-label={`${label} ${rowName}`}
      title={icon ? label : undefined}
      aria-busy={isPending || undefined}
      onClick={onClick}
    >
      {label}
    </button>
  );
}

type KnownActionProps = Omit<RowActionProps, 'label' | 'icon' | 'isDanger' | 'isIconOnly'> & { label?: string };

export const EditAction = (props: KnownActionProps) => <RowAction label={uiMessages.edit} {...props} icon="pencil" />;

export const RemoveAction = (props: KnownActionProps) => (
  <RowAction label={uiMessages.remove} {...props} icon="trash" isDanger />
);

/** Opens the drawer of the last requests (`useShowRequests`). */
export const RequestsAction = (props: Omit<KnownActionProps, 'label'>) => (
  <RowAction {...props} label={listMessages.requests} icon="scroll" isIconOnly allowViewers />
);
