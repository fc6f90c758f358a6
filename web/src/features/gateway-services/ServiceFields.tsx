import type { FormFields } from '../../ui/form/formFields';
import { CODE_INPUT, TextField } from '../../ui/form/textFields';
import { servicesMessages as messages } from './gateway-services.messages';
import { addScheme, type ServiceValues, toSlug } from './serviceForm';

/** Name and host, for a new service and for an edited one. The name becomes a slug while it is typed (`toSlug`). */
export function ServiceFields({
  form: { text, change },
}: {
  form: Pick<FormFields<ServiceValues>, 'text' | 'change'>;
}) {
  return (
    <>
      <TextField
        label={messages.name}
        {...text('name')}
        onChange={({ target }) => change({ name: toSlug(target.value) })}
        hint={messages.nameHint}
        placeholder={messages.namePlaceholder}
        maxLength={100}
        required
        {...CODE_INPUT}
      />
      <TextField
        label={messages.host}
        {...text('host')}
        onBlur={({ target }) => {
          if (addScheme(target.value) !== target.value) change({ host: addScheme(target.value) });
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
