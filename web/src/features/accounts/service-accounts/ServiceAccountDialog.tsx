import { intersect, object } from 'valibot';
import { FormDialog } from '../../../ui/dialog/FormDialog';
import { CODE_INPUT, TextField } from '../../../ui/form/fields/textFields';
import { requiredText } from '../../../ui/form/schema/schemas';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import { accountsMessages } from '../accounts.messages';
import {
  ServiceAccountsDocument,
  type ServiceAccountsQuery,
  useCreateServiceAccountMutation,
  useUpdateServiceAccountMutation,
} from '../generated/accounts';
import { RightsFields } from '../rights/RightsFields';
import { rightsSchema, toRightsInput, toRightsValues } from '../rights/rights';

const { serviceAccounts: messages, failure, success } = accountsMessages;
export type ServiceAccount = ServiceAccountsQuery['serviceAccounts'][number];
const schema = intersect([object({ name: requiredText(messages.nameRequired) }), rightsSchema]);

/** Creates a service account, or changes an existing one. */
export function ServiceAccountDialog({ account, onClose }: { account?: ServiceAccount; onClose: () => void }) {
  const [create] = useCreateServiceAccountMutation({ refetchQueries: [ServiceAccountsDocument] });
  const [update] = useUpdateServiceAccountMutation();
  const form = useAppForm({
    initial: { name: account?.name ?? '', ...toRightsValues(account?.role ?? 'operator', account?.projects) },
    schema,
    failureMessage: failure.serviceAccounts,
    send: async ({ name, ...rights }) => {
      const input = { name: name.trim(), ...toRightsInput(rights) };
      if (account) await update({ variables: { id: account._id, input } });
      else await create({ variables: { input } });
    },
    onSaved: onClose,
    success: account ? success.serviceAccountChanged : success.serviceAccountCreated,
  });
  return (
    <FormDialog
      title={account ? messages.editTitle(account.name) : messages.add}
      submitLabel={account ? undefined : messages.create}
      form={form}
      onClose={onClose}
    >
      <TextField {...form.text('name', messages)} {...CODE_INPUT} required />
      <RightsFields form={form} />
    </FormDialog>
  );
}
