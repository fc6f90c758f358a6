import { Button, Spinner } from '@chakra-ui/react';
import { Sparkles } from 'lucide-react';
import { Form } from '../../ui/Form';
import { TextareaField } from '../../ui/fields';
import { subdomainsMessages } from './subdomains.messages';
import styles from './subdomains.module.css';

const messages = subdomainsMessages.describe;

interface DescribeStepProps {
  prompt: string;
  onChange: (prompt: string) => void;
  onGenerate: () => void;
  onManual: () => void;
  pending: boolean;
  failure: string | null;
}

/** Step 1: what the service is, in the administrator's words. */
export function DescribeStep({ prompt, onChange, onGenerate, onManual, pending, failure }: DescribeStepProps) {
  const empty = prompt.trim() === '';
  return (
    <Form
      className={styles.form}
      onSubmit={() => {
        if (!empty) onGenerate();
      }}
      failure={failure}
    >
      <TextareaField
        label={messages.label}
        placeholder={messages.placeholder}
        hint={messages.hint}
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
