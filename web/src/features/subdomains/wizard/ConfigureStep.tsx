import { Button, chakra, Flex, Grid } from '@chakra-ui/react';
import { Form, type FormState, SubmitButton } from '../../../ui/form/Form';
import { SubdomainField } from '../../../ui/form/fields/SubdomainField';
import { TextareaField } from '../../../ui/form/fields/textFields';
import type { FormFields } from '../../../ui/form/formFields';
import type { SubdomainValues } from '../subdomainForm';
import { subdomainsMessages } from '../subdomains.messages';
import { ConnectionTest } from '../target/ConnectionTest';
import { TargetFields } from '../target/TargetFields';

const messages = subdomainsMessages.form;

interface ConfigureStepProps {
  form: FormFields<SubdomainValues> & FormState;
  /** Says which source suggested the values. */
  note: string | null;
  onClose: () => void;
}

/** Step 2 of the wizard: the fields of the subdomain. */
export default function ConfigureStep({ form, note, onClose }: ConfigureStepProps) {
  return (
    <Form form={form}>
      {note && <chakra.p color="fg.muted">{note}</chakra.p>}
      <Grid templateColumns={{ md: 'repeat(2, minmax(0, 1fr))' }} gap="4">
        <SubdomainField {...form.text('subdomain', messages)} onLabel={(subdomain) => form.change({ subdomain })} />
        <TextareaField
          {...form.text('description', messages)}
          minHeight="40px"
          py="9px"
          fieldSizing="content"
          rows={1}
          required
        />
      </Grid>
      <TargetFields form={form} isNew />
      <ConnectionTest values={form.watch()} onFieldErrors={form.setErrors} />
      <Flex wrap="wrap" gap="2">
        <SubmitButton isPending={form.isPending}>{messages.submit}</SubmitButton>
        <Button variant="outline" onClick={onClose}>
          {messages.back}
        </Button>
      </Flex>
    </Form>
  );
}
