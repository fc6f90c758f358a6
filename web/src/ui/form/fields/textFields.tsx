import { chakra, Flex, IconButton, Input, Textarea, type TextareaProps } from '@chakra-ui/react';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { uiMessages } from '../../ui.messages';
import type { ElementProps } from './controlProps';
import { Field, type FieldProps, splitFieldProps } from './Field';

const suffixedInputStyle = { flex: '1', borderEndRadius: '0' };
/** Leaves room for the button that reveals the text, and hides the button that Microsoft Edge adds. */
const secretInputStyle = { pe: '44px', css: { '&::-ms-reveal': { display: 'none' } } };

/** One line of text. `suffix` shows a part that the product adds, such as the host. A button reveals a password. */
export function TextField({ suffix, ...props }: FieldProps & ElementProps<'input'> & { suffix?: string }) {
  const [field, { type, ...rest }] = splitFieldProps(props);
  const [isRevealed, setRevealed] = useState(false);
  const isSecret = type === 'password';
  const Icon = isRevealed ? EyeOff : Eye;
  return (
    <Field {...field}>
      {(control) => {
        const inputProps = { ...control, ...rest, type: isRevealed ? 'text' : type };
        if (!suffix && !isSecret) return <Input {...inputProps} />;
        return (
          <Flex position="relative">
            <Input {...inputProps} {...(isSecret ? secretInputStyle : suffixedInputStyle)} />
            {suffix && (
              <chakra.span
                display="flex"
                alignItems="center"
                maxW="55%"
                px="3"
                overflow="hidden"
                borderWidth="1px 1px 1px 0"
                borderColor="border.input"
                borderEndRadius="sm"
                bg="bg.subtle"
                color="fg.muted"
                whiteSpace="nowrap"
              >
                {suffix}
              </chakra.span>
            )}
            {isSecret && (
              <IconButton
                variant="ghost"
                size="sm"
                position="absolute"
                inset="2px 2px 2px auto"
                outlineOffset="-2px"
                aria-label={uiMessages.reveal}
                aria-pressed={isRevealed}
                disabled={rest.disabled}
                onClick={() => setRevealed(!isRevealed)}
              >
                <Icon aria-hidden />
              </IconButton>
            )}
          </Flex>
        );
      }}
    </Field>
  );
}

/** Several lines of text. Ctrl+Enter submits (see `Form`). */
export function TextareaField(props: FieldProps & Omit<TextareaProps, keyof FieldProps | 'id' | 'children'>) {
  const [field, rest] = splitFieldProps(props);
  return <Field {...field}>{(control) => <Textarea {...control} {...rest} />}</Field>;
}

export const getNumberProps = (min: number, max: number) =>
  ({ type: 'number', min, max, inputMode: 'numeric' }) as const;

export const PORT_INPUT = getNumberProps(1, 65_535);

/** Props of a `TextField` without spelling check, for names, hosts and patterns. */
export const CODE_INPUT = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const;

/** Props of a `TextField` for a domain or for the pasted URL of a site. */
export const HOST_INPUT = { inputMode: 'url', autoCapitalize: 'none', spellCheck: false } as const;
