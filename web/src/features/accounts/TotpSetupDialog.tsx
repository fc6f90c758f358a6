import { notify } from '../../lib/notification';
import { showOnce } from '../../lib/oneTimeSecret';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { SecretDialog } from '../../ui/dialog/SecretDialog';
import { CODE_INPUT, TextField } from '../../ui/form/textFields';
import { useForm } from '../../ui/form/useForm';
import type { FieldErrors } from '../../ui/form/useSubmit';
import { CopyButton } from '../../ui/list/CopyButton';
import { accountsMessages } from './accounts.messages';
import styles from './accounts.module.css';
import { AdminsDocument, useConfirmTotpMutation } from './generated/accounts';

const { totp: messages, recovery, failure, success } = accountsMessages;

interface TotpSetupDialogProps {
  secret: string;
  uri: string;
  onClose: () => void;
}

/** Shows the secret for the authenticator app and confirms it with a code; then shows the recovery codes once. */
export function TotpSetupDialog({ secret, uri, onClose }: TotpSetupDialogProps) {
  const [confirm] = useConfirmTotpMutation({ fetchPolicy: 'no-cache', refetchQueries: [AdminsDocument] });
  const form = useForm({
    draft: null,
    initial: { code: '' },
    check: ({ code }): FieldErrors => (code.trim() ? {} : { code: messages.codeRequired }),
    fallback: failure.totp,
    send: async ({ code }) => {
      await SecretDialog.preload();
      return (await confirm({ variables: { code: code.trim() } })).data?.confirmTotp.recoveryCodes;
    },
    onSaved: (codes) => {
      onClose();
      notify(success.totpOn);
      if (codes) showOnce({ ...recovery, secret: codes.join(' ') });
    },
  });
  return (
    <FormDialog title={messages.setupTitle} width={500} submitLabel={messages.confirm} form={form} onClose={onClose}>
      <p>{messages.setupText}</p>
      <p className={styles.secret}>
        {secret}
        <CopyButton text={secret} label={messages.copySecret} />
      </p>
      <a className={styles.link} href={uri}>
        {messages.open}
      </a>
      <TextField
        label={messages.code}
        {...form.text('code')}
        {...CODE_INPUT}
        hint={messages.codeHint}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        required
      />
    </FormDialog>
  );
}
