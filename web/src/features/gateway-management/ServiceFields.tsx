import { TextField } from '../../ui/fields';
import type { FieldErrors } from '../../ui/useSubmit';
import { managementMessages } from './gateway-management.messages';
import type { ServiceValues } from './serviceForm';

const { services: messages } = managementMessages;

interface ServiceFieldsProps {
  values: ServiceValues;
  errors: FieldErrors;
  onChange: (change: Partial<ServiceValues>) => void;
}

export const ServiceFields = ({ values, errors, onChange }: ServiceFieldsProps) => (
  <>
    <TextField
      label={messages.name}
      value={values.name}
      onChange={(name) => onChange({ name })}
      error={errors.name}
      hint={messages.nameHint}
      placeholder={messages.namePlaceholder}
      maxLength={100}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      required
    />
    <TextField
      label={messages.host}
      value={values.host}
      onChange={(host) => onChange({ host })}
      error={errors.host}
      placeholder={messages.hostPlaceholder}
      maxLength={255}
      inputMode="url"
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      required
    />
  </>
);
