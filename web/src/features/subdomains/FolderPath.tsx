import { subdomainsMessages } from './subdomains.messages';
import styles from './subdomains.module.css';

interface FolderPathProps {
  path: string;
  apiPort?: number | null;
}

/** A folder's path in two lines at most, what contains it and its name: cut at the start, since the end tells more. */
export function FolderPath({ path, apiPort }: FolderPathProps) {
  const name = path.lastIndexOf('/', path.length - 2) + 1;
  return (
    <span className={styles.folder} title={path}>
      {[path.slice(0, name), path.slice(name)].map((part) => (
        <span key={part} className={styles.part}>
          <bdi dir="ltr">{part}</bdi>
        </span>
      ))}
      {apiPort && <small>{subdomainsMessages.list.api(apiPort)}</small>}
    </span>
  );
}
