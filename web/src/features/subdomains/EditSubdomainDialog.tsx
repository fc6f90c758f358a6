import { FormDialog } from '../../ui/FormDialog';
import { TextareaField, TextField } from '../../ui/fields';
import { currentHost } from '../../ui/host';
import { notify } from '../../ui/notification';
import { uiMessages } from '../../ui/ui.messages';
import { useDraft } from '../../ui/useDraft';
import { type FieldErrors, useSubmit } from '../../ui/useSubmit';
import { type SubdomainRowFragment, useUpdateSubdomainMutation } from './generated/subdomains';
import { subdomainChanges, subdomainValues } from './subdomainForm';
import { subdomainsMessages } from './subdomains.messages';
import { TargetFields } from './TargetFields';

const { edit, form: fields, failure, success } = subdomainsMessages;

interface EditSubdomainDialogProps {
  row: SubdomainRowFragment;
  onSaved: (row: SubdomainRowFragment) => void;
  onClose: () => void;
}

/** Changes what a subdomain is for and where it leads; its name stays, since links carry it. */
export function EditSubdomainDialog({ row, onSaved, onClose }: EditSubdomainDialogProps) {
  const { values, change, settle } = useDraft(`subdomains:${row.subdomain}`, subdomainValues(row));
  const [update] = useUpdateSubdomainMutation({ fetchPolicy: 'no-cache' });
  const form = useSubmit({
    fallback: failure.update,
    check: (): FieldErrors => (values.description.trim() ? {} : { description: uiMessages.required }),
    send: async () => {
      const { data } = await update({ variables: { subdomain: row.subdomain, input: subdomainChanges(values) } });
      if (data) onSaved(data.updateSubdomain);
      settle();
      onClose();
      notify(success.updated);
    },
  });

  return (
    <FormDialog
      title={edit.title}
      width={600}
      submitLabel={edit.save}
      onSubmit={form.submit}
      onClose={onClose}
      {...form}
    >
      <TextField label={fields.subdomain} value={row.subdomain} suffix={`.${currentHost()}`} readOnly />
      <TextareaField
        label={fields.description}
        value={values.description}
        onChange={(description) => change({ description })}
        error={form.errors.description}
        maxLength={500}
        rows={2}
        required
      />
      <TargetFields values={values} change={change} errors={form.errors} />
    </FormDialog>
  );
}
