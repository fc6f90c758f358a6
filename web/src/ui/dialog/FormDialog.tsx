import type { ComponentProps } from 'react';
import { useAccess } from '../../lib/session/access';
import type FormDialogView from './FormDialogView';
import { lazyDialog } from './lazyDialog';

const LazyFormDialog = lazyDialog(() => import('./FormDialogView'));

interface FormDialogProps extends ComponentProps<typeof FormDialogView> {
  /** True if viewers may open the dialog, because it changes only their own data. */
  allowViewers?: boolean;
}

/** A form in a dialog. A viewer who opens the dialog by its URL sees nothing. */
export function FormDialog({ allowViewers, ...props }: FormDialogProps) {
  const { canWrite } = useAccess();
  return canWrite || allowViewers ? <LazyFormDialog {...props} /> : null;
}

FormDialog.preload = LazyFormDialog.preload;
