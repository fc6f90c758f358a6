import { readFresh } from '../../lib/graphql/client/client';
import { evictFields } from '../../lib/graphql/client/evictFields';
import { getSiteHost, getSitesDomainWithPort } from '../../lib/hosts/host';
import { notifySaved } from '../../lib/notifications/notifySaved';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { CheckField } from '../../ui/form/fields/checkFields';
import { TextareaField, TextField } from '../../ui/form/fields/textFields';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { SubdomainDocument, type SubdomainRowFragment, useUpdateSubdomainMutation } from './generated/subdomains';
import { subdomainChangesSchema, toSubdomainChanges, toSubdomainValues } from './subdomainForm';
import { subdomainsMessages } from './subdomains.messages';
import { ConnectionTest } from './target/ConnectionTest';
import { TargetFields } from './target/TargetFields';
import { useTargetCheck } from './target/useTargetCheck';

const { edit, form: fields, failure, success } = subdomainsMessages;

const toValues = (row: SubdomainRowFragment) => ({
  ...toSubdomainValues(row),
  paused: row.paused,
  healthCheck: row.healthCheck,
});

/** Edits a subdomain, except its name, because links contain the name. */
export default function EditSubdomainDialog({ row, onClose }: { row: SubdomainRowFragment; onClose: () => void }) {
  const [update] = useUpdateSubdomainMutation({ update: evictFields('overview') });
  const checkTarget = useTargetCheck();
  const form = useAppForm({
    draft: `subdomains:${row.subdomain}`,
    initial: toValues(row),
    schema: subdomainChangesSchema,
    failureMessage: failure.update,
    send: (values, version) => {
      const { paused, healthCheck } = values;
      const input = { ...toSubdomainChanges(values), paused, healthCheck };
      return update({ variables: { subdomain: row.subdomain, input, version } });
    },
    editedEntity: {
      row,
      read: async () => (await readFresh(SubdomainDocument, { id: row.subdomain }))?.subdomain,
      toValues,
      labels: { ...fields, ...edit },
      format: (field, value) =>
        field === 'type' ? fields.types.find((type) => type.value === value)?.label : undefined,
    },
    onSaved: ({ data }) => {
      onClose();
      void notifySaved(success.updated, getSiteHost(row.subdomain), data?.updateSubdomain.live ?? null, () =>
        checkTarget(row.subdomain),
      );
    },
  });

  return (
    <FormDialog title={edit.title} width={600} form={form} onClose={onClose}>
      <TextField label={fields.subdomain} value={row.subdomain} suffix={`.${getSitesDomainWithPort()}`} readOnly />
      <TextareaField {...form.text('description', fields)} rows={2} required />
      <TargetFields form={form} />
      <ConnectionTest values={form.watch()} onFieldErrors={form.setErrors} subdomain={row.subdomain} />
      <CheckField {...form.check('healthCheck', edit)} />
      <CheckField {...form.check('paused', edit)} />
    </FormDialog>
  );
}
