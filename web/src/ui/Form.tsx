import { Button, Spinner } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Alert } from './Alert';
import type { FieldErrors } from './useSubmit';

interface FormProps {
  onSubmit: () => void;
  /** As `useSubmit` gives them: the first invalid field gets the focus. */
  errors?: FieldErrors;
  failure?: string | null;
  children: ReactNode;
  className?: string;
  'aria-label'?: string;
  'aria-labelledby'?: string;
}

/** A form with the alert of a failed send at its top. Enter submits; Ctrl+Enter does so from several lines of text. */
export function Form({ onSubmit, errors, failure, children, ...rest }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (errors && Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [errors]);
  return (
    <form
      {...rest}
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onSubmit();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        form.current?.requestSubmit();
      }}
    >
      {failure && <Alert>{failure}</Alert>}
      {children}
    </form>
  );
}

interface SubmitButtonProps {
  pending: boolean;
  children: ReactNode;
  disabled?: boolean;
  colorPalette?: 'brand' | 'danger';
  /** For an act outside a form. */
  onClick?: () => void;
}

/** The main button of a form: while the call runs it keeps its label and its focus, and shows a spinner. */
export function SubmitButton({ pending, children, disabled, colorPalette, onClick }: SubmitButtonProps) {
  return (
    <Button
      type={onClick ? 'button' : 'submit'}
      onClick={onClick}
      colorPalette={colorPalette}
      disabled={disabled}
      aria-busy={pending || undefined}
    >
      {pending && <Spinner aria-hidden />}
      {children}
    </Button>
  );
}
