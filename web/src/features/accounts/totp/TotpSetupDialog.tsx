import { Flex, Link } from '@chakra-ui/react';
import { object } from 'valibot';
import { notify } from '../../../lib/notifications/notification';
import { showSecretOnce } from '../../../lib/notifications/oneTimeSecret';
import { CopyButton } from '../../../ui/cells/CopyButton';
import { FormDialog } from '../../../ui/dialog/FormDialog';
import { SecretDialog } from '../../../ui/dialog/SecretDialog';
import { requiredText } from '../../../ui/form/schema/schemas';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import { accountsMessages } from '../accounts.messages';
import { OwnAccountDocument, useConfirmTotpMutation } from '../generated/accounts';
import { CodeField } from './CodeField';
import { TotpQrCode } from './TotpQrCode';

const { totp: messages, recovery, failure, success } = accountsMessages;
const schema = object({ code: requiredText(messages.codeRequired) });

/** Converts `ABCDEFGH` to `ABCD EFGH`, because groups of four are easier to type. */
const formatInGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? '';

interface TotpSetupDialogProps {
  secret: string;
  uri: string;
  onClose: () => void;
}

/** Shows the secret for the authenticator app and confirms it with a code; then shows the recovery codes once. */
export default function TotpSetupDialog({ secret, uri, onClose }: TotpSetupDialogProps) {
  const [confirm] = useConfirmTotpMutation({ fetchPolicy: 'no-cache', refetchQueries: [OwnAccountDocument] });
  const form = useAppForm({
    initial: { code: '' },
    schema,
    failureMessage: failure.totp,
    send: async ({ code }) => {
      await SecretDialog.preload();
      return (await confirm({ variables: { code } })).data?.confirmTotp.recoveryCodes;
    },
    onSaved: (codes) => {
      onClose();
      notify(success.totpOn);
      if (codes) showSecretOnce({ ...recovery, secret: codes.join('\n') });
    },
  });
  return (
    <FormDialog allowViewers title={messages.setupTitle} submitLabel={messages.confirm} form={form} onClose={onClose}>
      <p>{messages.setupText}</p>
      <TotpQrCode uri={uri} label={messages.qrCode} />
      <Flex as="p" align="center" gap="1" fontFamily="mono" overflowWrap="anywhere">
        {formatInGroups(secret)}
        <CopyButton text={secret} label={messages.copySecret} />
      </Flex>
      <Link href={uri}>{messages.open}</Link>
      <CodeField form={form} texts={messages} inputMode="numeric" />
    </FormDialog>
  );
}
