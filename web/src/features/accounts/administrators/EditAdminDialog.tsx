import { FormDialog } from '../../../ui/dialog/FormDialog';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import { accountsMessages } from '../accounts.messages';
import { useUpdateAdminMutation } from '../generated/accounts';
import { RightsFields } from '../rights/RightsFields';
import { rightsSchema, toRightsInput, toRightsValues } from '../rights/rights';
import type { Administrator } from './adminColumns';

const { rights: messages, failure, success } = accountsMessages;

export function EditAdminDialog({ admin, onClose }: { admin: Administrator; onClose: () => void }) {
  const [update] = useUpdateAdminMutation();
  const form = useAppForm({
    initial: toRightsValues(admin.role, admin.projects),
    schema: rightsSchema,
    failureMessage: failure.rights,
    send: (values) => update({ variables: { id: admin._id, input: toRightsInput(values) } }),
    onSaved: onClose,
    success: success.rights,
  });
  return (
    <FormDialog title={messages.title(admin.username)} form={form} onClose={onClose}>
      <RightsFields form={form} />
    </FormDialog>
  );
}
