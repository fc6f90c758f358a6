import { Button, Flex } from '@chakra-ui/react';
import { Sparkles } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Form, type FormState, SubmitButton } from '../../../ui/form/Form';
import { TextareaField } from '../../../ui/form/fields/textFields';
import type { useAction } from '../../../ui/form/useAction';
import { useAiConfiguredQuery } from '../generated/subdomains';
import { subdomainsMessages } from '../subdomains.messages';

const messages = subdomainsMessages.describe;

const formCss = { '& > :is([role=alert], [role=status])': { gridColumn: { lg: '1 / -1' } } };
const compactFormCss = { '& label': { srOnly: true }, '@media (min-width: 1200px)': { mt: '0' } };
const compactFieldStyle = { minHeight: '40px', py: '9px', overflow: 'hidden', resize: 'none' } as const;
/** In a wide window the buttons stand beside the text field, and together are as high as the field. */
const wideButtonsStyle = { direction: { lg: 'column' }, gap: { base: '2', lg: '4' }, pt: { lg: '26px' } } as const;

interface DescribeStepProps {
  field: ComponentProps<typeof TextareaField>;
  isEmpty: boolean;
  suggestion: ReturnType<typeof useAction>;
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
  suggestion: { run, isPending, failure },
  onManual,
  restored,
  isCompact,
  onFocus,
}: DescribeStepProps) {
  const { data } = useAiConfiguredQuery({ fetchPolicy: 'cache-first' });
  return (
    <Form
      gridTemplateColumns={{ lg: 'minmax(0, 1fr) auto' }}
      alignItems={{ lg: 'start' }}
      gap={isCompact ? '2' : '4'}
      mt={isCompact ? '2' : '4'}
      css={[formCss, isCompact && compactFormCss]}
      form={{
        submit: () => {
          if (!isEmpty) run();
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
        {...(isCompact && compactFieldStyle)}
        onFocus={onFocus}
      />
      <Flex wrap="wrap" gap="2" {...(!isCompact && wideButtonsStyle)}>
        <SubmitButton
          flex={isCompact ? '1' : undefined}
          isPending={isPending}
          icon={<Sparkles aria-hidden />}
          disabled={isEmpty}
        >
          {messages.generate}
        </SubmitButton>
        <Button variant="outline" flex={isCompact ? '1' : undefined} onClick={onManual} disabled={isPending}>
          {messages.manual}
        </Button>
      </Flex>
    </Form>
  );
}
