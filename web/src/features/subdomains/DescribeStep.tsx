import { Sparkles } from 'lucide-react';
import type { Failure } from '../../lib/failure';
import { Button, Spinner } from '../../ui/form/Button';
import { Form, type FormProps } from '../../ui/form/Form';
import { TextareaField } from '../../ui/form/textFields';
import { useAiConfiguredQuery } from './generated/subdomains';
import { subdomainsMessages } from './subdomains.messages';
import styles from './subdomains.module.css';

const messages = subdomainsMessages.describe;

interface DescribeStepProps {
  prompt: string;
  onChange: (prompt: string) => void;
  onGenerate: () => void;
  onManual: () => void;
  pending: boolean;
  failure: Failure | null;
  restored: FormProps['restored'];
}

/** Step 1: what the service is, in the administrator's words. */
export function DescribeStep({
  prompt,
  onChange,
  onGenerate,
  onManual,
  pending,
  failure,
  restored,
}: DescribeStepProps) {
  const { data } = useAiConfiguredQuery({ fetchPolicy: 'cache-first' });
  const empty = prompt.trim() === '';
  return (
    <Form
      className={styles.describe}
      onSubmit={() => {
        if (!empty) onGenerate();
      }}
      failure={failure}
      restored={restored}
    >
      <TextareaField
        label={messages.label}
        placeholder={messages.placeholder}
        hint={data?.aiConfigured === false ? messages.hintWithoutAi : messages.hint}
        value={prompt}
        onChange={onChange}
        maxLength={500}
        rows={3}
      />
      <div className={styles.buttons}>
        <Button type="submit" disabled={empty} aria-busy={pending || undefined}>
          {pending ? <Spinner aria-hidden /> : <Sparkles aria-hidden />}
          {messages.generate}
        </Button>
        <Button variant="outline" onClick={onManual} disabled={pending}>
          {messages.manual}
        </Button>
      </div>
    </Form>
  );
}
