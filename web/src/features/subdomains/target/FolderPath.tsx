import { subdomainsMessages } from '../subdomains.messages';
import styles from '../subdomains.module.css';

/** The parent and the name of a folder in two lines, which are cut at the start because folders differ at the end. */
export function FolderPath({ path, apiPort }: { path: string; apiPort?: number | null }) {
  const nameStart = path.lastIndexOf('/', path.length - 2) + 1;
  return (
    <span className={styles.folder} title={path}>
      {[path.slice(0, nameStart), path.slice(nameStart)].map((part) => (
        <span key={part} className={styles.part}>
          <bdi dir="ltr">{part}</bdi>
        </span>
      ))}
      {apiPort && <small>{subdomainsMessages.list.api(apiPort)}</small>}
    </span>
  );
}
