import { Button, Flex } from '@chakra-ui/react';
import { Download, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { downloadText } from '../../lib/browser/download';
import type { OneTimeSecret } from '../../lib/notifications/oneTimeSecret';
import styles from './Modal.module.css';

interface SecretListProps extends Pick<OneTimeSecret, 'label' | 'secret'> {
  file: NonNullable<OneTimeSecret['file']>;
  /** The button that copies the list. */
  children: ReactNode;
}

/** A secret of several lines as a grid, with buttons that copy, download and print it. Only the list is printed. */
export function SecretList({ label, secret, file, children }: SecretListProps) {
  return (
    <>
      <ul className={styles.list} aria-label={label} data-printed={label}>
        {secret.split('\n').map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Flex wrap="wrap" gap="2">
        {children}
        <Button variant="outline" onClick={() => downloadText(file.name, `${secret}\n`, 'text/plain;charset=utf-8')}>
          <Download aria-hidden />
          {file.download}
        </Button>
        <Button variant="outline" onClick={() => window.print()}>
          <Printer aria-hidden />
          {file.print}
        </Button>
      </Flex>
    </>
  );
}
