import { Button, Flex } from '@chakra-ui/react';
import { Sparkles } from 'lucide-react';
import { Form, SubmitButton } from '../../../ui/form/Form';
import { TextareaField } from '../../../ui/form/fields/textFields';
import type { useAction } from '../../../ui/form/useAction';
import { useAiConfiguredQuery } from '../generated/subdomains';
import { subdomainsMessages } from '../subdomains.messages';
import type { useCreationForm } from './useCreationForm';

const messages = subdomainsMessages.describe;

const formCss = { '& > :is([role=alert], [role=status])': { gridColumn: { lg: '1 / -1' } } };
/** A compact step has a field of one line, whose label is its placeholder. */
const compactLook = {
  form: { gap: '2', mt: { base: '2', '2xl': '0' }, css: [formCss, { '& label': { srOnly: true } }] },
  field: { placeholder: messages.prompt, rows: 1, minHeight: '40px', py: '9px', overflow: 'hidden', resize: 'none' },
  buttons: { gap: '2' },
  button: { flex: '1' },
} as const;
/** In a wide window the buttons stand beside the field. They begin below its label (26 px) and end with the field. */
const fullLook = {
  form: { gap: '4', mt: '4', css: formCss },
  field: { placeholder: messages.promptPlaceholder, rows: 3 },
  buttons: { direction: { lg: 'column' }, gap: { base: '2', lg: '4' }, pt: { lg: '26px' } },
  button: {},
} as const;

interface DescribeStepProps {
  form: ReturnType<typeof useCreationForm>;
  suggestion: ReturnType<typeof useAction>;
  onManual: () => void;
  /** Whether the step is compact and has no hint. */
  isCompact: boolean;
  onFocus: () => void;
}

/** Step 1 of the wizard: the administrator describes the service. */
export function DescribeStep({ form, suggestion, onManual, isCompact, onFocus }: DescribeStepProps) {
  const { data } = useAiConfiguredQuery({ fetchPolicy: 'cache-first' });
  const hint = data?.aiConfigured === false ? messages.hintWithoutAi : messages.hint;
  const look = isCompact ? compactLook : fullLook;
  const isEmpty = form.watch('prompt').trim() === '';
  const submit = () => {
    if (!isEmpty) suggestion.run();
  };
  return (
    <Form
      gridTemplateColumns={{ lg: 'minmax(0, 1fr) auto' }}
      alignItems={{ lg: 'start' }}
      {...look.form}
      form={{ ...form, submit }}
      failure={suggestion.failure}
    >
      <TextareaField {...form.text('prompt', messages)} hint={!isCompact && hint} {...look.field} onFocus={onFocus} />
      <Flex wrap="wrap" {...look.buttons}>
        <SubmitButton
          {...look.button}
          isPending={suggestion.isPending}
          icon={<Sparkles aria-hidden />}
          disabled={isEmpty}
        >
          {messages.generate}
        </SubmitButton>
        <Button variant="outline" {...look.button} onClick={onManual} disabled={suggestion.isPending}>
          {messages.manual}
        </Button>
      </Flex>
    </Form>
  );
}
