import { Button, type ButtonProps, chakra, type HTMLChakraProps, Spinner } from '@chakra-ui/react';
import { type ReactNode, type RefAttributes, useEffect, useRef } from 'react';
import type { UserError } from '../../lib/userError';
import { ConflictDialog } from '../dialog/ConflictDialog';
import { Alert } from '../feedback/Alert';
import { RestoredDraft, type RestoredDraftProps } from './RestoredDraft';
import type { Conflict } from './state/conflict';

/** The part of `useAppForm`'s result that `Form` and `SubmitButton` use. The other part is `FormFields`. */
export interface FormState {
  submit: () => void;
  isPending: boolean;
  /** Number of submits. After each submit, the first invalid field gets the focus. */
  submitCount: number;
  failure: UserError | null;
  restored: RestoredDraftProps | null;
  conflict?: Conflict | null;
}

interface FormProps extends Omit<HTMLChakraProps<'form'>, 'onSubmit'> {
  form: Omit<FormState, 'isPending'>;
  /** Shown at the top instead of the failure of `form`. */
  failure?: UserError | null;
}

/** A form that shows a failed submit as an alert at its top. Enter submits; in a textarea, Ctrl+Enter submits. */
export function Form({
  form: { submit, submitCount, restored, conflict, ...form },
  failure = form.failure,
  children,
  ...rest
}: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (submitCount > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [submitCount]);
  return (
    <>
      <chakra.form
        // Before the scripts run, the browser submits the form by itself. GET would put a password into the URL.
        method="post"
        display="grid"
        gap="4"
        mt="4"
        {...rest}
        ref={element}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // React passes the events of a dialog's form also to a form around the dialog.
          event.stopPropagation();
          submit();
        }}
        onMouseDown={(event) => {
          // The second click of a double click on the submit button would take the focus from the invalid field.
          const isOnField = event.target instanceof Element && event.target.closest('input, textarea, select');
          if (event.detail > 1 && !isOnField && document.activeElement?.matches('[aria-invalid="true"]'))
            event.preventDefault();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          element.current?.requestSubmit();
        }}
      >
        {failure && <Alert note={failure.note}>{failure.message}</Alert>}
        {restored && <RestoredDraft {...restored} />}
        {children}
      </chakra.form>
      {conflict && <ConflictDialog {...conflict} />}
    </>
  );
}

interface SubmitButtonProps extends ButtonProps, RefAttributes<HTMLButtonElement> {
  isPending?: boolean;
  /** The action that a click starts; without it and `onClick`, a click submits the form. */
  action?: { run: () => void; isPending: boolean };
  /** The icon. The spinner replaces it during the call. */
  icon?: ReactNode;
  isDanger?: boolean;
}

/** Submits its form or starts an action. Meanwhile it keeps label and focus, and shows a spinner. */
export function SubmitButton({ action, isPending = action?.isPending, icon, isDanger, ...props }: SubmitButtonProps) {
  const { children, onClick = action?.run, ...rest } = props;
  return (
    <Button
      type={onClick ? 'button' : 'submit'}
      onClick={onClick}
      colorPalette={isDanger ? 'danger' : undefined}
      aria-busy={isPending || undefined}
      {...rest}
    >
      {isPending ? <Spinner aria-hidden /> : icon}
      {children}
    </Button>
  );
}
