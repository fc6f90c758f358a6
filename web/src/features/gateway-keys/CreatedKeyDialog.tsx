import { Button, Dialog } from '@chakra-ui/react';
import { useRef } from 'react';
import '@fontsource-variable/geist-mono';
import { CopyButton } from '../../ui/CopyButton';
import { Modal } from '../../ui/Modal';
import { keysMessages } from './gateway-keys.messages';
import styles from './gateway-keys.module.css';

const { created: messages, success, failure } = keysMessages;

interface CreatedKeyDialogProps {
  name: string;
  secret: string;
  onClose: () => void;
}

/** The new key, this one time: closed only by its button. */
export default function CreatedKeyDialog({ name, secret, onClose }: CreatedKeyDialogProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Modal title={messages.title} width={600} onClose={onClose} dismissable={false} initialFocus={input}>
      <Dialog.Body>
        <p>{messages.warning}</p>
        <div className={styles.secret}>
          <input
            ref={input}
            readOnly
            value={secret}
            aria-label={messages.label(name)}
            onFocus={(event) => event.target.select()}
          />
          <CopyButton text={secret} label={messages.copy} success={success.copied} failure={failure.copy} />
        </div>
      </Dialog.Body>
      <Dialog.Footer>
        <Button onClick={onClose}>{messages.close}</Button>
      </Dialog.Footer>
    </Modal>
  );
}
