import { useApolloClient } from '@apollo/client/react';
import { currentHost, siteHost } from '../../lib/host';
import { notifySaved } from '../../lib/notifySaved';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { CheckField } from '../../ui/form/checkFields';
import { TextareaField, TextField } from '../../ui/form/textFields';
import { useForm } from '../../ui/form/useForm';
import type { FieldErrors } from '../../ui/form/useSubmit';
import { uiMessages } from '../../ui/ui.messages';
import { ConnectionTest } from './ConnectionTest';
import { findSubdomain } from './findSubdomain';
import { type SubdomainRowFragment, useUpdateSubdomainMutation } from './generated/subdomains';
import { subdomainChanges, subdomainValues } from './subdomainForm';
import { subdomainsMessages } from './subdomains.messages';
import { TargetFields } from './TargetFields';

const { edit, form: fields, failure, success } = subdomainsMessages;

interface EditSubdomainDialogProps {
  row: SubdomainRowFragment;
  /** With the row as it is saved now. */
  onSaved: (row: SubdomainRowFragment) => void;
  onClose: () => void;
}

const NAMES = {
  description: fields.description,
  type: fields.type,
  port: fields.port,
  staticPath: fields.staticPath,
  apiPort: fields.apiPort,
  targetHost: fields.targetHost,
  targetPort: fields.targetPort,
  healthCheck: edit.healthCheck,
  paused: edit.paused,
};
const valuesOf = (row: SubdomainRowFragment) => ({
  ...subdomainValues(row),
  paused: row.paused,
  healthCheck: row.healthCheck,
});

/** Changes what a subdomain is for and where it leads; its name stays, since links carry it. */
export function EditSubdomainDialog({ row, onSaved, onClose }: EditSubdomainDialogProps) {
  const [update] = useUpdateSubdomainMutation({ fetchPolicy: 'no-cache' });
  const client = useApolloClient();
  const form = useForm({
    draft: `subdomains:${row.subdomain}`,
    initial: valuesOf(row),
    check: ({ description }): FieldErrors => (description.trim() ? {} : { description: uiMessages.required }),
    edited: {
      version: row.version,
      read: async () => {
        const now = await findSubdomain(client, row.subdomain);
        if (now) onSaved(now);
        return now && { version: now.version, values: valuesOf(now) };
      },
      names: NAMES,
      show: (field, value) => fields.types.find((type) => field === 'type' && type.value === value)?.label,
    },
    fallback: failure.update,
    send: (values, version) => {
      const { paused, healthCheck } = values;
      const input = { ...subdomainChanges(values), paused, healthCheck };
      return update({ variables: { subdomain: row.subdomain, input, version } });
    },
    onSaved: ({ data }) => {
      if (data) onSaved(data.updateSubdomain);
      onClose();
      notifySaved(success.updated, siteHost(row.subdomain), data?.updateSubdomain.live ?? null);
    },
  });

  return (
    <FormDialog title={edit.title} width={600} submitLabel={edit.save} form={form} onClose={onClose}>
      <TextField label={fields.subdomain} value={row.subdomain} suffix={`.${currentHost()}`} readOnly />
      <TextareaField label={fields.description} {...form.text('description')} maxLength={500} rows={2} required />
      <TargetFields form={form} />
      <ConnectionTest values={form.values} subdomain={row.subdomain} />
      <CheckField
        label={edit.healthCheck}
        checked={form.values.healthCheck}
        onChange={(healthCheck) => form.change({ healthCheck })}
      />
      <CheckField label={edit.paused} checked={form.values.paused} onChange={(paused) => form.change({ paused })} />
    </FormDialog>
  );
}
