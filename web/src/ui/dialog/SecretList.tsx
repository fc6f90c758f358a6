import { Button, chakra, Flex } from '@chakra-ui/react';
import { Download, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { downloadText } from '../../lib/browser/download';
import type { OneTimeSecret } from '../../lib/notifications/oneTimeSecret';

/** Only the list is printed, below its label. `&&` has a higher specificity than the selector that hides the page. */
const printedCss = {
  '@media print': {
    'body:has(&) *': { visibility: 'hidden' },
    '&&, && *': { visibility: 'visible' },
    position: 'fixed',
    inset: '24px auto auto 24px',
    background: 'none',
    color: '#000',
    _before: { gridColumn: '1 / -1', fontWeight: 'semibold', content: 'attr(aria-label)' },
  },
};

interface SecretListProps extends Pick<OneTimeSecret, 'label' | 'secret'> {
  file: NonNullable<OneTimeSecret['file']>;
  /** The button that copies the list. */
  children: ReactNode;
}

/** A secret of several lines as a grid, with buttons that copy, download and print it. Only the list is printed. */
export function SecretList({ label, secret, file, children }: SecretListProps) {
  return (
    <>
      <chakra.ul
        display="grid"
        gridTemplateColumns="repeat(2, minmax(0, 1fr))"
        rowGap="2.5"
        columnGap="6"
        my="4"
        py="4"
        px="5"
        borderWidth="1px"
        borderColor="border"
        borderRadius="sm"
        bg="bg.subtle"
        fontFamily="mono"
        fontSize="15px"
        css={printedCss}
        aria-label={label}
      >
        {secret.split('\n').map((line) => (
          <li key={line}>{line}</li>
        ))}
      </chakra.ul>
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
