import { check, intersect, object, pipe } from 'valibot';
import { markRecentlyCreated } from '../../../lib/notifications/recentlyCreated';
import { FormDialog } from '../../../ui/dialog/FormDialog';
import { SecretDialog } from '../../../ui/dialog/SecretDialog';
import { CODE_INPUT, TextField } from '../../../ui/form/fields/textFields';
import { requiredText } from '../../../ui/form/schema/schemas';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import { accountsMessages } from '../accounts.messages';
import { AdminsDocument, useAdminsQuery, useCreateAdminMutation } from '../generated/accounts';
import { showInvitation } from '../invitation';
import { RightsFields } from '../rights/RightsFields';
import { rightsSchema, toRightsInput, toRightsValues } from '../rights/rights';

const { create: messages, failure } = accountsMessages;

/** The username as the core stores it. */
const canonicalizeUsername = (typed: string): string => typed.trim().normalize('NFKC').toLowerCase();

/** Names that the core reserves for itself. */
const RESERVED = ['core', 'edge'];

/**
 * The fields of an invitation. The core asks the inviting administrator for a password before it checks the username.
 * The schema refuses reserved and existing usernames, so that no password is typed for a refused name.
 */
const createSchema = (existingUsernames: readonly string[]) =>
  intersect([
    object({
      username: pipe(
        requiredText(messages.required),
        check((typed) => !RESERVED.includes(canonicalizeUsername(typed)), messages.reserved),
        check(
          (typed) => !existingUsernames.includes(canonicalizeUsername(typed)),
          ({ input }) => messages.taken(canonicalizeUsername(input)),
        ),
      ),
    }),
    rightsSchema,
  ]);

export function CreateAdminDialog({ onClose }: { onClose: () => void }) {
  const [create] = useCreateAdminMutation({ fetchPolicy: 'no-cache', refetchQueries: [AdminsDocument] });
  const { data } = useAdminsQuery({ fetchPolicy: 'cache-first' });
  const form = useAppForm({
    draft: 'accounts:novo',
    initial: { username: '', ...toRightsValues('operator', null) },
    schema: createSchema(data?.admins.map(({ username }) => username) ?? []),
    failureMessage: failure.create,
    send: async ({ username, ...rights }) => {
      // `SecretDialog` is loaded before the call, because an invitation that cannot be shown would be lost.
      await SecretDialog.preload();
      return (await create({ variables: { username: username.trim(), ...toRightsInput(rights) } })).data?.createAdmin;
    },
    onSaved: (invitation) => {
      onClose();
      if (!invitation) return;
      markRecentlyCreated(invitation._id);
      showInvitation(invitation);
    },
  });
  const typedName = form.watch('username').trim();
  const username = canonicalizeUsername(typedName);
  return (
    <FormDialog title={messages.title} submitLabel={messages.submit} form={form} onClose={onClose}>
      <TextField
        {...form.text('username', messages)}
        {...CODE_INPUT}
        hint={username !== typedName && messages.savedAs(username)}
        required
      />
      <RightsFields form={form} />
    </FormDialog>
  );
}
