import { Button, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { TextField } from '../../ui/form/fields/textFields';
import type { FormFields } from '../../ui/form/formFields';
import { loginMessages as messages } from './login.messages';

interface SecondStepProps {
  form: FormFields<{ username: string; code?: string | undefined }>;
  onBack: () => void;
}

/** Asks for the code of the authenticator app, or for a recovery code. */
export function SecondStep({ form, onBack }: SecondStepProps) {
  const [isRecovery, setRecovery] = useState(false);
  const field = isRecovery
    ? ({ label: messages.recoveryCode, hint: messages.recoveryHint, autoComplete: 'off' } as const)
    : ({
        label: messages.code,
        hint: messages.codeHint,
        autoComplete: 'one-time-code',
        inputMode: 'numeric',
        fontFamily: 'mono',
        letterSpacing: '0.3em',
      } as const);
  return (
    <>
      <p>{messages.secondStep(form.watch('username').trim())}</p>
      <TextField
        key={field.label}
        // The field takes the focus when the step begins, and after a switch to the other kind of code.
        autoFocus
        {...form.text('code', messages)}
        {...field}
        autoCapitalize="none"
        spellCheck={false}
      />
      <Flex wrap="wrap" justify="space-between" gap="2">
        <Button
          variant="plain"
          onClick={() => {
            form.change({ code: '' });
            setRecovery(!isRecovery);
          }}
        >
          {isRecovery ? messages.useApp : messages.useRecovery}
        </Button>
        <Button variant="ghost" size="sm" onClick={onBack}>
          {messages.back}
        </Button>
      </Flex>
    </>
  );
}
