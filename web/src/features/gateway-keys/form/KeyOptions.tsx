import { Grid } from '@chakra-ui/react';
import { CheckField } from '../../../ui/form/fields/checkFields';
import { SelectField } from '../../../ui/form/fields/SelectField';
import { getNumberProps, TextareaField, TextField } from '../../../ui/form/fields/textFields';
import type { FormFields } from '../../../ui/form/formFields';
import { MoreOptions } from '../../../ui/form/MoreOptions';
import { keysMessages } from '../gateway-keys.messages';
import type { KeyValues } from './keyForm';

const { form: messages } = keysMessages;
const TEXT_FIELDS = ['expiresAt', 'rateLimit', 'note'] as const;
const WINDOWS_S = ['1', '60', '3600', '86400'];

interface KeyOptionsProps {
  form: FormFields<KeyValues>;
  /** Whether the key is new. A new key has no field that disables it. */
  isNew: boolean;
}

/** The rarely used fields of a key: its expiry, limit and note, and whether it is disabled. */
export function KeyOptions({ form: { watch, errors, text, choice, check }, isNew }: KeyOptionsProps) {
  const rateSeconds = watch('rateSeconds');
  const windows = WINDOWS_S.includes(rateSeconds) ? WINDOWS_S : [rateSeconds, ...WINDOWS_S];
  return (
    <MoreOptions
      isUsed={watch('disabled') || TEXT_FIELDS.some((name) => watch(name) !== '')}
      isInvalid={TEXT_FIELDS.some((name) => errors[name] !== undefined)}
    >
      <Grid templateColumns={{ md: '2fr 3fr' }} gap="4">
        <TextField {...text('expiresAt', messages)} type="datetime-local" max="9999-12-31T23:59" />
        <Grid templateColumns={{ sm: 'minmax(0, 1fr) 148px' }} gap="3" css={{ '& label': { whiteSpace: 'nowrap' } }}>
          <TextField {...text('rateLimit', messages)} {...getNumberProps(1, 1_000_000)} />
          <SelectField
            {...choice('rateSeconds', messages)}
            options={windows.map((value) => ({ value, label: messages.window(Number(value)) }))}
          />
        </Grid>
      </Grid>
      <TextareaField {...text('note', messages)} rows={2} optional />
      {!isNew && <CheckField {...check('disabled', messages)} />}
    </MoreOptions>
  );
}
