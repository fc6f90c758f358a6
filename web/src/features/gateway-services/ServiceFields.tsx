import { CODE_INPUT, TextField } from '../../ui/form/textFields';
import type { FormFields } from '../../ui/form/useForm';
import { servicesMessages as messages } from './gateway-services.messages';
import { type ServiceValues, slugged, withScheme } from './serviceForm';

/** Name and host, for a new service and for an edited one. The name is slugged while it is typed. */
export function ServiceFields({ form }: { form: Omit<FormFields<ServiceValues>, 'text'> }) {
  const { values, errors, change } = form;
  return (
    <>
      <TextField
        label={messages.name}
        value={values.name}
        error={errors.name}
        onChange={(name) => change({ name: slugged(name) })}
        hint={messages.nameHint}
        placeholder={messages.namePlaceholder}
        maxLength={100}
        required
        {...CODE_INPUT}
      />
      <TextField
        label={messages.host}
        value={values.host}
        error={errors.host}
        onChange={(host) => change({ host })}
        onBlur={() => {
          if (withScheme(values.host) !== values.host) change({ host: withScheme(values.host) });
        }}
        placeholder={messages.hostPlaceholder}
        maxLength={255}
        inputMode="url"
        required
        {...CODE_INPUT}
      />
    </>
  );
}
