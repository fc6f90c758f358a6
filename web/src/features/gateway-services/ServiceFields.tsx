import { addScheme } from '../../lib/hosts/domainName';
import { CODE_INPUT, TextField } from '../../ui/form/fields/textFields';
import type { FormFields } from '../../ui/form/formFields';
import { servicesMessages as messages } from './gateway-services.messages';
import { type ServiceValues, toSlug } from './serviceForm';

/** Name and host, for a new service and for an edited one. The name becomes a slug while it is typed (`toSlug`). */
export function ServiceFields({ form }: { form: Pick<FormFields<ServiceValues>, 'text' | 'change'> }) {
  const { text, change } = form;
  return (
    <>
      <TextField
        {...text('name', messages)}
        onChange={({ target }) => change({ name: toSlug(target.value) })}
        required
        {...CODE_INPUT}
      />
      <TextField
        {...text('host', messages)}
        onBlur={({ target }) => {
          if (addScheme(target.value) !== target.value) change({ host: addScheme(target.value) });
        }}
        inputMode="url"
        required
        {...CODE_INPUT}
      />
    </>
  );
}
