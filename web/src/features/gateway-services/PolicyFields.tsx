import { SimpleGrid } from '@chakra-ui/react';
import { CheckField } from '../../ui/form/checkFields';
import type { FormFields } from '../../ui/form/formFields';
import { MoreOptions } from '../../ui/form/MoreOptions';
import { CODE_INPUT, numberInput, TextareaField, TextField } from '../../ui/form/textFields';
import { servicesMessages as messages } from './gateway-services.messages';
import type { PolicyValues } from './serviceForm';

const FIELDS = ['extraHosts', 'healthPath', 'timeoutSeconds', 'maxBodyMb', 'cors', 'corsMaxAge'];

/** Limits, further instances and CORS of a service. */
export function PolicyFields({ form: { values, errors, text, check } }: { form: FormFields<PolicyValues> }) {
  const hasOrigins = values.cors.trim() !== '';
  return (
    <MoreOptions
      isUsed={[values.cors, values.extraHosts, values.healthPath].some((value) => value !== '')}
      isInvalid={FIELDS.some((name) => errors[name] !== undefined)}
    >
      <SimpleGrid columns={{ md: 2 }} gap="4">
        <TextField
          label={messages.timeoutSeconds}
          {...text('timeoutSeconds')}
          {...numberInput(1, 600)}
          hint={messages.timeoutSecondsHint}
        />
        <TextField
          label={messages.maxBodyMb}
          {...text('maxBodyMb')}
          {...numberInput(1, 1024)}
          hint={messages.maxBodyMbHint}
        />
      </SimpleGrid>
      <TextareaField
        label={messages.extraHosts}
        {...text('extraHosts')}
        hint={messages.extraHostsHint}
        rows={2}
        {...CODE_INPUT}
      />
      <TextField
        label={messages.healthPath}
        {...text('healthPath')}
        hint={messages.healthPathHint}
        placeholder={messages.healthPathPlaceholder}
        {...CODE_INPUT}
      />
      <TextareaField
        label={messages.cors}
        {...text('cors')}
        hint={messages.corsHint}
        placeholder={messages.corsPlaceholder}
        rows={2}
        {...CODE_INPUT}
      />
      {hasOrigins && (
        <>
          <SimpleGrid columns={{ md: 2 }} gap="4">
            <TextField
              label={messages.corsHeaders}
              {...text('corsHeaders')}
              placeholder={messages.corsHeadersPlaceholder}
              {...CODE_INPUT}
            />
            <TextField label={messages.corsMaxAge} {...text('corsMaxAge')} {...numberInput(0, 86_400)} />
          </SimpleGrid>
          <CheckField label={messages.corsCredentials} {...check('corsCredentials')} />
        </>
      )}
    </MoreOptions>
  );
}
