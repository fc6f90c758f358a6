import { Field as ChakraField } from '@chakra-ui/react';
import { type ReactNode, useId } from 'react';
import { uiMessages } from '../../ui.messages';

/** Props of every labelled control. */
export interface FieldProps {
  label: string;
  error?: string;
  hint?: ReactNode;
  /** Id of a text outside of the field that describes the control, too. */
  describedBy?: string;
  required?: boolean;
  /** Shows "(opcional)" beside the label. */
  optional?: boolean;
}

/** Separates the props of a `Field` from the props of the control inside of it. */
export const splitFieldProps = <Props extends FieldProps>(props: Props) => {
  const { label, error, hint, describedBy, required, optional, ...control } = props;
  return [{ label, error, hint, describedBy, required, optional }, control] as const;
};

/** Props of the control inside of a `Field`, besides the props from Chakra's context. */
interface ControlProps {
  'aria-describedby'?: string;
}

/**
 * Chakra's field with label, control, error and hint. Chakra ties the error by `aria-errormessage` only, which few
 * screen readers announce, so the control also names the error in `aria-describedby`.
 */
export function Field({
  label,
  error,
  hint,
  describedBy,
  required,
  optional,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const id = useId();
  const errorId = `${id}error`;
  const hintId = `${id}hint`;
  const descriptionIds = [error && errorId, hint && hintId, describedBy].filter(Boolean).join(' ');
  return (
    <ChakraField.Root ids={{ errorText: errorId, helperText: hintId }} invalid={Boolean(error)} required={required}>
      <ChakraField.Label>
        {label}
        {optional && <small>{uiMessages.optional}</small>}
      </ChakraField.Label>
      {children({ 'aria-describedby': descriptionIds || undefined })}
      {error && <ChakraField.ErrorText aria-live="off">{error}</ChakraField.ErrorText>}
      {hint && (
        <ChakraField.HelperText asChild>
          <div>{hint}</div>
        </ChakraField.HelperText>
      )}
    </ChakraField.Root>
  );
}
