import { object, string } from 'valibot';
import { notify } from '../../lib/notifications/notification';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { SecretDialog } from '../../ui/dialog/SecretDialog';
import { RadioField } from '../../ui/form/fields/RadioField';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { TokensDocument, useRotateTokenMutation } from './generated/tokens';
import { showToken } from './showToken';
import type { Token } from './tokenColumns';
import { tokensMessages } from './tokens.messages';

const { rotation: messages, success, failure } = tokensMessages;
const schema = object({ graceSeconds: string() });

/** Gives a token another secret; the previous secret stays valid for the chosen time. */
export function RotateTokenDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const [rotate] = useRotateTokenMutation({ fetchPolicy: 'no-cache', refetchQueries: [TokensDocument] });
  const form = useAppForm({
    initial: { graceSeconds: String(24 * 3600) },
    schema,
    failureMessage: failure.rotate,
    send: async ({ graceSeconds }) => {
      await SecretDialog.preload();
      return (await rotate({ variables: { id: token._id, graceSeconds: Number(graceSeconds) } })).data?.rotateToken;
    },
    onSaved: (rotatedToken) => {
      onClose();
      notify(success.rotated);
      if (rotatedToken) showToken(rotatedToken);
    },
  });
  return (
    <FormDialog
      allowViewers
      title={messages.title}
      width={560}
      submitLabel={messages.submit}
      form={form}
      onClose={onClose}
    >
      <p>{messages.message(token.name)}</p>
      <RadioField {...form.choice('graceSeconds', messages)} options={messages.overlaps} />
    </FormDialog>
  );
}
