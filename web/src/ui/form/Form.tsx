import { type ReactNode, useEffect, useRef } from 'react';
import type { Failure } from '../../lib/failure';
import { ConflictDialog } from '../dialog/ConflictDialog';
import { Alert } from '../feedback/Alert';
import { Button, Spinner } from './Button';
import { RestoredDraft, type RestoredDraftProps } from './RestoredDraft';
import type { Conflict } from './useConflict';
import type { FieldErrors } from './useSubmit';

export interface FormProps {
  onSubmit: () => void;
  /** As `useForm` gives them: when a send brings some, the first invalid field gets the focus. */
  errors?: FieldErrors;
  failure?: Failure | null;
  /** As `useForm` gives it. */
  restored?: RestoredDraftProps | null;
  /** As `useForm` gives it. */
  conflict?: Conflict | null;
  children: ReactNode;
  className?: string;
  'aria-label'?: string;
  'aria-labelledby'?: string;
}

/** A form with the alert of a failed send at its top. Enter submits; Ctrl+Enter does so from several lines of text. */
export function Form({ onSubmit, errors, failure, restored, conflict, children, ...rest }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  // Errors also change while somebody types (a corrected field loses its own): the focus stays then.
  const awaitsErrors = useRef(false);
  useEffect(() => {
    if (!awaitsErrors.current || !errors || Object.keys(errors).length === 0) return;
    awaitsErrors.current = false;
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [errors]);
  return (
    <>
      <form
        {...rest}
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          awaitsErrors.current = true;
          onSubmit();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          form.current?.requestSubmit();
        }}
      >
        {failure && <Alert note={failure.note}>{failure.sentence}</Alert>}
        {restored && <RestoredDraft {...restored} />}
        {children}
      </form>
      {conflict && <ConflictDialog {...conflict} />}
    </>
  );
}

interface SubmitButtonProps {
  pending: boolean;
  children: ReactNode;
  disabled?: boolean;
  /** The act destroys something. */
  danger?: boolean;
  /** For an act outside a form. */
  onClick?: () => void;
}

/** The main button of a form: while the call runs it keeps its label and its focus, and shows a spinner. */
export function SubmitButton({ pending, children, disabled, danger, onClick }: SubmitButtonProps) {
  return (
    <Button
      type={onClick ? 'button' : 'submit'}
      onClick={onClick}
      danger={danger}
      disabled={disabled}
      aria-busy={pending || undefined}
    >
      {pending && <Spinner aria-hidden />}
      {children}
    </Button>
  );
}

/** For the action of an empty list whose form stands above it on the same page. */
export const focusFirstField = (): void =>
  document.querySelector<HTMLElement>('main form :is(input, textarea)')?.focus();
