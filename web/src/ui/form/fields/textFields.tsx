import { IconButton, Input, Textarea } from '@chakra-ui/react';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { uiMessages } from '../../ui.messages';
import type { ElementProps } from './controlProps';
import { Field, type FieldProps, splitFieldProps } from './Field';
import styles from './form.module.css';

/** One line of text. `suffix` shows a part that the product adds, such as the host. A button shows a typed password. */
export function TextField({ suffix, ...props }: FieldProps & ElementProps<'input'> & { suffix?: string }) {
  const [field, { type, ...rest }] = splitFieldProps(props);
  const [isRevealed, setRevealed] = useState(false);
  const isSecret = type === 'password';
  const Icon = isRevealed ? EyeOff : Eye;
  return (
    <Field {...field}>
      {(control) => {
        const input = <Input {...control} {...rest} type={isRevealed ? 'text' : type} />;
        if (!suffix && !isSecret) return input;
        return (
          <div className={isSecret ? styles.secret : styles.suffixed}>
            {input}
            {suffix && <span>{suffix}</span>}
            {isSecret && (
              <IconButton
                variant="ghost"
                size="sm"
                aria-label={uiMessages.reveal}
                aria-pressed={isRevealed}
                disabled={rest.disabled}
                onClick={() => setRevealed(!isRevealed)}
              >
                <Icon aria-hidden />
              </IconButton>
            )}
          </div>
        );
      }}
    </Field>
  );
}

/** Several lines of text. Ctrl+Enter submits (see `Form`). */
export function TextareaField(props: FieldProps & ElementProps<'textarea'>) {
  const [field, rest] = splitFieldProps(props);
  return <Field {...field}>{(control) => <Textarea {...control} {...rest} />}</Field>;
}

/** Props of a `TextField` for a whole number. */
export const getNumberProps = (min: number, max: number) =>
  ({ type: 'number', min, max, inputMode: 'numeric' }) as const;

export const PORT_INPUT = getNumberProps(1, 65_535);

/** Props of a `TextField` without spelling check, for names, hosts and patterns. */
export const CODE_INPUT = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const;

/** Props of a `TextField` for a domain or for the pasted URL of a site. */
export const HOST_INPUT = { inputMode: 'url', autoCapitalize: 'none', spellCheck: false } as const;
