import { Link } from 'react-router';
import { currentHost, siteUrl } from '../../lib/host';
import { Panel } from '../../ui/layout/Page';
import { CopyButton } from '../../ui/list/CopyButton';
import { versionsMessages } from './versions.messages';
import styles from './versions.module.css';

const { curl: messages } = versionsMessages;

/** The line that publishes a folder, as the README has it. */
const line = (): string =>
  `tar -cz -C dist . | curl -fsS --data-binary @- -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/gzip' ${siteUrl(currentHost())}/api/deploy`;

/** The command with which a pipeline publishes. @param tokensPath the screen where its token is created */
export function CurlPanel({ tokensPath }: { tokensPath: string }) {
  const text = line();
  return (
    <Panel title={messages.title} text={messages.text}>
      <pre className={styles.code}>
        <code>{text}</code>
      </pre>
      <div className={styles.terminal}>
        <CopyButton text={text} label={messages.copy} isWordShown />
        <Link to={tokensPath}>{messages.token}</Link>
      </div>
    </Panel>
  );
}
