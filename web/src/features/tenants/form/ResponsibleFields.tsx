import { chakra } from '@chakra-ui/react';
import { TextField } from '../../../ui/form/fields/textFields';
import type { FormFields } from '../../../ui/form/formFields';
import { tenantsMessages } from '../tenants.messages';

const { dialog: messages } = tenantsMessages;

interface ResponsibleFieldsProps {
  form: Pick<FormFields<{ responsibleName: string; responsibleContact: string }>, 'text'>;
}

export const ResponsibleFields = ({ form }: ResponsibleFieldsProps) => (
  <chakra.fieldset display="grid" gap="4" pt="4" borderTopWidth="1px" borderColor="border">
    {/* A legend that does not float would be drawn in the border of its fieldset. */}
    <chakra.legend float="left" width="100%" fontWeight="semibold">
      {messages.responsible}
    </chakra.legend>
    <chakra.div clear="both">
      <TextField {...form.text('responsibleName', messages)} />
    </chakra.div>
    <TextField {...form.text('responsibleContact', messages)} />
  </chakra.fieldset>
);
