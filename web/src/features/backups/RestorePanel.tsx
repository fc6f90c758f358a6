import { chakra, Flex, Grid } from '@chakra-ui/react';
import { Panel } from '../../ui/layout/Page';
import { CopyButton } from '../../ui/list/CopyButton';
import { backupsMessages } from './backups.messages';
import { Note } from './Note';

const { restore: messages } = backupsMessages;
const { steps } = messages;
const COMMAND = `npm run restore -- ${messages.file} --passphrase-file /root/passphrase`;

/** The command that restores a backup. It is no button, because all processes have to be stopped. */
export const RestorePanel = () => (
  <Panel title={messages.title} text={messages.keep}>
    <Grid as="ol" gap="1.5" mt="3" ps="5" listStyle="decimal">
      <li>{steps.stop}</li>
      <li>{steps.fetch}</li>
      <li>{steps.passphrase}</li>
      <li>
        {steps.run}
        <Flex align="center" gap="1" mt="1">
          <chakra.code overflowWrap="anywhere">{COMMAND}</chakra.code>
          <CopyButton text={COMMAND} label={messages.copy} />
        </Flex>
      </li>
      <li>{steps.start}</li>
    </Grid>
    <Note>{messages.text}</Note>
  </Panel>
);
