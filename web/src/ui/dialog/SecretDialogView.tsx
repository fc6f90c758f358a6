import { Button, chakra, Dialog, Flex, Input } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import '@fontsource-variable/geist-mono';
import type { OneTimeSecret } from '../../lib/notifications/oneTimeSecret';
import { CopyButton } from '../cells/CopyButton';
import { Snippet } from '../layout/Snippet';
import { Modal } from './Modal';
import { SecretList } from './SecretList';

const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();

/** Shows a secret once. Only its button closes the dialog, and the browser asks before the page is left. */
export default function SecretDialogView({
  title,
  warning,
  label,
  secret,
  copyLabel,
  closeLabel,
  copiedMessage,
  copyFailedMessage,
  file,
  example,
  onClose,
}: OneTimeSecret & { onClose: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    window.addEventListener('beforeunload', preventUnload);
    return () => window.removeEventListener('beforeunload', preventUnload);
  }, []);
  const copyButton = (
    <CopyButton text={secret} label={copyLabel} success={copiedMessage} failure={copyFailedMessage} isLabelShown />
  );
  return (
    <Modal title={title} width={600} onClose={onClose} isDismissable={false} initialFocus={input}>
      <Dialog.Body>
        <p>{warning}</p>
        {file ? (
          <SecretList label={label} secret={secret} file={file}>
            {copyButton}
          </SecretList>
        ) : (
          <Flex align="center" gap="2" mt="4">
            <Input
              ref={input}
              readOnly
              fontFamily="mono"
              value={secret}
              aria-label={label}
              onFocus={(event) => event.target.select()}
            />
            {copyButton}
          </Flex>
        )}
        {example && (
          <chakra.div mt="5">
            <p>
              {example.label} <chakra.code whiteSpace="nowrap">{example.header}</chakra.code>
            </p>
            <Snippet my="2">{example.text}</Snippet>
            <CopyButton text={example.text} label={example.copyLabel} failure={copyFailedMessage} isLabelShown />
          </chakra.div>
        )}
      </Dialog.Body>
      <Dialog.Footer>
        <Button onClick={onClose}>{closeLabel}</Button>
      </Dialog.Footer>
    </Modal>
  );
}
