import { subdomainsMessages } from '../subdomains.messages';
import styles from '../subdomains.module.css';

/** A folder's parent and name (with a final slash, if any) in two lines, cut at the start: the end is distinctive. */
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
