import { Panel } from '../../ui/layout/Page';
import { CopyButton } from '../../ui/list/CopyButton';
import { backupsMessages } from './backups.messages';
import styles from './backups.module.css';

const { restore: messages } = backupsMessages;
const { steps } = messages;
const COMMAND = `npm run restore -- ${messages.file} --passphrase-file /root/passphrase`;

/** The command that restores a backup. It is no button, because all processes have to be stopped. */
export const RestorePanel = () => (
  <Panel title={messages.title} text={messages.keep}>
    <ol className={styles.steps}>
      <li>{steps.stop}</li>
      <li>{steps.fetch}</li>
      <li>{steps.passphrase}</li>
      <li>
        {steps.run}
        <span className={styles.command}>
          <code>{COMMAND}</code>
          <CopyButton text={COMMAND} label={messages.copy} />
        </span>
      </li>
      <li>{steps.start}</li>
    </ol>
    <p className={styles.note}>{messages.text}</p>
  </Panel>
);
