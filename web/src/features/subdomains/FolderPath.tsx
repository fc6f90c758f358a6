import { subdomainsMessages } from './subdomains.messages';
import styles from './subdomains.module.css';

interface FolderPathProps {
  path: string;
  apiPort?: number | null;
}

/** The path of a folder in two lines, its parent and its name. Each is cut at the start, because the end identifies it. */
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
