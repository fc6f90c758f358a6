import { Button } from '@chakra-ui/react';
import { Sparkles } from 'lucide-react';
import { Form, type FormState, SubmitButton } from '../../ui/form/Form';
import { TextareaField } from '../../ui/form/textFields';
import type { useSubmit } from '../../ui/form/useSubmit';
import { useAiConfiguredQuery } from './generated/subdomains';
import { subdomainsMessages } from './subdomains.messages';
import styles from './subdomains.module.css';

const messages = subdomainsMessages.describe;

interface DescribeStepProps {
  prompt: string;
  onChange: (prompt: string) => void;
  suggestion: ReturnType<typeof useSubmit>;
  onManual: () => void;
  restored: FormState['restored'];
  /** Whether the field has one line, with its label as placeholder and without a hint. */
  isCompact: boolean;
  /** Called when the field gets the focus. */
  onFocus: () => void;
}

/** Step 1 of the wizard: the administrator describes the service. */
export function DescribeStep({
  prompt,
  onChange,
  suggestion: { submit, pending, failure },
  onManual,
  restored,
  isCompact,
  onFocus,
}: DescribeStepProps) {
  const { data } = useAiConfiguredQuery({ fetchPolicy: 'cache-first' });
  const isEmpty = prompt.trim() === '';
  return (
    <Form
      className={styles.describe}
      form={{
        submit: () => {
          if (!isEmpty) submit();
        },
        submitCount: 0,
        failure,
        restored,
      }}
    >
      <TextareaField
        label={messages.label}
        placeholder={isCompact ? messages.label : messages.placeholder}
        hint={!isCompact && (data?.aiConfigured === false ? messages.hintWithoutAi : messages.hint)}
        value={prompt}
        onChange={({ target }) => onChange(target.value)}
        maxLength={500}
        rows={isCompact ? 1 : 3}
        onFocus={onFocus}
      />
      <div className={styles.buttons}>
        <SubmitButton pending={pending} icon={<Sparkles aria-hidden />} disabled={isEmpty}>
          {messages.generate}
        </SubmitButton>
        <Button variant="outline" onClick={onManual} disabled={pending}>
          {messages.manual}
        </Button>
      </div>
    </Form>
  );
}
