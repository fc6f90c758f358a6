import { markRecentlyCreated } from '../../lib/recentlyCreated';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { SecretDialog } from '../../ui/dialog/SecretDialog';
import { CODE_INPUT, TextField } from '../../ui/form/textFields';
import { useForm } from '../../ui/form/useForm';
import type { FieldErrors } from '../../ui/form/useSubmit';
import { accountsMessages } from './accounts.messages';
import { AdminsDocument, useCreateAdminMutation } from './generated/accounts';
import { showInvitation } from './invitation';

const { create: messages, failure } = accountsMessages;

/** Invites an administrator. */
export function CreateAdminDialog({ onClose }: { onClose: () => void }) {
  const [create] = useCreateAdminMutation({ fetchPolicy: 'no-cache', refetchQueries: [AdminsDocument] });
  const form = useForm({
    draft: 'accounts:novo',
    initial: { username: '' },
    check: ({ username }): FieldErrors => (username.trim() ? {} : { username: messages.required }),
    fallback: failure.create,
    send: async ({ username }) => {
      // Loaded first: an invitation that cannot be shown would be lost.
      await SecretDialog.preload();
      return (await create({ variables: { username: username.trim() } })).data?.createAdmin;
    },
    onSaved: (invitation) => {
      onClose();
      if (!invitation) return;
      markRecentlyCreated(invitation._id);
      showInvitation(invitation);
    },
  });
  return (
    <FormDialog title={messages.title} width={500} submitLabel={messages.submit} form={form} onClose={onClose}>
      <TextField label={messages.username} {...form.text('username')} {...CODE_INPUT} maxLength={100} required />
    </FormDialog>
  );
}
