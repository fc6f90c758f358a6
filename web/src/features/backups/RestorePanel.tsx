import { chakra, Flex, Grid } from '@chakra-ui/react';
import { CopyButton } from '../../ui/cells/CopyButton';
import { Panel } from '../../ui/layout/Page';
import { CommandWords } from '../../ui/layout/Snippet';
import { backupsMessages } from './backups.messages';
import { Note } from './Note';

const { restore: messages } = backupsMessages;
const { steps } = messages;
const COMMAND = `npm run restore -- ${messages.file}`;
const ENCRYPTED_COMMAND = `${COMMAND} --passphrase-file /root/passphrase`;

/** The command that restores a backup. There is no button, because all processes must be stopped first. */
export function RestorePanel({ isEncrypted }: { isEncrypted: boolean }) {
  const command = isEncrypted ? ENCRYPTED_COMMAND : COMMAND;
  return (
    <Panel title={messages.title} text={isEncrypted ? messages.keep : undefined}>
      <Grid as="ol" gap="1.5" mt="3" ps="5" listStyle="decimal">
        <li>{steps.stop}</li>
        <li>{steps.fetch}</li>
        <li>{isEncrypted ? steps.passphrase : steps.earlierPassphrase}</li>
        <li>
          {steps.run}
          <Flex align="center" gap="1" mt="1">
            <chakra.code overflowWrap="anywhere">
              <CommandWords>{command}</CommandWords>
            </chakra.code>
            <CopyButton text={command} label={messages.copy} />
          </Flex>
        </li>
        <li>{steps.start}</li>
      </Grid>
      <Note>{messages.text}</Note>
    </Panel>
  );
}
