import { SimpleGrid } from '@chakra-ui/react';
import { CheckField } from '../../ui/form/fields/checkFields';
import { CODE_INPUT, getNumberProps, TextareaField, TextField } from '../../ui/form/fields/textFields';
import type { FormFields } from '../../ui/form/formFields';
import { MoreOptions } from '../../ui/form/MoreOptions';
import { servicesMessages as messages } from './gateway-services.messages';
import type { PolicyValues } from './serviceForm';

const FIELDS = ['extraHosts', 'healthPath', 'timeoutSeconds', 'maxBodyMb', 'cors', 'corsMaxAge'];

/** Fields for the limits, the further hosts, the health check and CORS of a service. */
export function PolicyFields({ form: { watch, errors, text, check } }: { form: FormFields<PolicyValues> }) {
  return (
    <MoreOptions
      isUsed={(['cors', 'extraHosts', 'healthPath'] as const).some((name) => watch(name) !== '')}
      isInvalid={FIELDS.some((name) => errors[name] !== undefined)}
    >
      <SimpleGrid columns={{ md: 2 }} gap="4">
        <TextField {...text('timeoutSeconds', messages)} {...getNumberProps(1, 600)} />
        <TextField {...text('maxBodyMb', messages)} {...getNumberProps(1, 1024)} />
      </SimpleGrid>
      <TextareaField {...text('extraHosts', messages)} rows={2} {...CODE_INPUT} />
      <TextField {...text('healthPath', messages)} {...CODE_INPUT} />
      <TextareaField {...text('cors', messages)} rows={2} {...CODE_INPUT} />
      {watch('cors').trim() !== '' && (
        <>
          <SimpleGrid columns={{ md: 2 }} gap="4">
            <TextField {...text('corsHeaders', messages)} {...CODE_INPUT} />
            <TextField {...text('corsMaxAge', messages)} {...getNumberProps(0, 86_400)} />
          </SimpleGrid>
          <CheckField {...check('corsCredentials', messages)} />
        </>
      )}
    </MoreOptions>
  );
}
