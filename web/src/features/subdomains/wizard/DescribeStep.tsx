import { Button } from '@chakra-ui/react';
import { Sparkles } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Form, type FormState, SubmitButton } from '../../../ui/form/Form';
import { TextareaField } from '../../../ui/form/fields/textFields';
import type { useSubmit } from '../../../ui/form/useSubmit';
import { useAiConfiguredQuery } from '../generated/subdomains';
import { subdomainsMessages } from '../subdomains.messages';
import styles from '../subdomains.module.css';

const messages = subdomainsMessages.describe;

interface DescribeStepProps {
  field: ComponentProps<typeof TextareaField>;
  isEmpty: boolean;
  suggestion: ReturnType<typeof useSubmit>;
  onManual: () => void;
  restored: FormState['restored'];
  /** Whether the field has one line, with its label as placeholder and without a hint. */
  isCompact: boolean;
  onFocus: () => void;
}

/** Step 1 of the wizard: the administrator describes the service. */
export function DescribeStep({
  field,
  isEmpty,
  suggestion: { submit, pending, failure },
  onManual,
  restored,
  isCompact,
  onFocus,
}: DescribeStepProps) {
  const { data } = useAiConfiguredQuery({ fetchPolicy: 'cache-first' });
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
        {...field}
        placeholder={isCompact ? messages.prompt : messages.promptPlaceholder}
        hint={!isCompact && (data?.aiConfigured === false ? messages.hintWithoutAi : messages.hint)}
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
