import { markRecentlyCreated } from '../../lib/notifications/recentlyCreated';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { SecretDialog } from '../../ui/dialog/SecretDialog';
import { RadioField } from '../../ui/form/fields/RadioField';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { TokensDocument, useCreateTokenMutation } from './generated/tokens';
import { showToken } from './showToken';
import { TokenFields } from './TokenFields';
import { createTokenValues, getExpiry, PURPOSES, tokenSchema, toTokenInput } from './tokenForm';
import { tokensMessages } from './tokens.messages';

const { create: messages, form: fieldMessages, failure } = tokensMessages;
const PURPOSE_OPTIONS = PURPOSES.map((value) => ({ value, label: messages.purposes[value] }));
const LIFETIME_OPTIONS = Object.entries(fieldMessages.lifetimes).map(([value, label]) => ({ value, label }));

interface CreateTokenDialogProps {
  account: string | null;
  /** The site that the token publishes, such as `subdomain:loja`. Any other text stands for no site. */
  site: string | null;
  onClose: () => void;
}

/** Creates a token of an account and shows it once. */
export function CreateTokenDialog({ account, site, onClose }: CreateTokenDialogProps) {
  const [create] = useCreateTokenMutation({ fetchPolicy: 'no-cache', refetchQueries: [TokensDocument] });
  const form = useAppForm({
    initial: createTokenValues(site),
    schema: tokenSchema,
    failureMessage: failure.create,
    send: async (values) => {
      // `SecretDialog` is loaded before the call, because a token that cannot be shown would be lost.
      await SecretDialog.preload();
      const input = toTokenInput(values);
      const result = await create({ variables: { input: { ...input, expiresAt: getExpiry(values.days), account } } });
      const created = result.data?.createToken;
      return created && { ...created, scopes: input.scopes };
    },
    onSaved: (created) => {
      onClose();
      if (!created) return;
      markRecentlyCreated(created._id);
      showToken(created);
    },
  });
  return (
    <FormDialog
      allowViewers
      title={messages.title}
      width={640}
      submitLabel={messages.submit}
      form={form}
      onClose={onClose}
    >
      <TokenFields form={form} lifetimeOptions={LIFETIME_OPTIONS}>
        <RadioField {...form.choice('purpose', messages)} options={PURPOSE_OPTIONS} />
      </TokenFields>
    </FormDialog>
  );
}
