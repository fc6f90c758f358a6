import { Button, chakra, Dialog } from '@chakra-ui/react';
import { useRef } from 'react';
import type { Conflict } from '../form/conflict';
import { uiMessages } from '../ui.messages';
import { Modal } from './Modal';
import styles from './Modal.module.css';

const messages = uiMessages.conflict;

/** Shows the changes that another person saved meanwhile, and asks whose changes stay. The focus starts on the answer that loses nothing. */
export default function ConflictDialogView({ differences, onKeepMine, onKeepTheirs, onClose }: Conflict) {
  const mine = useRef<HTMLButtonElement>(null);
  return (
    <Modal title={messages.title} width={600} role="alertdialog" initialFocus={mine} onClose={onClose}>
      <Dialog.Body>
        <Dialog.Description>{messages.text}</Dialog.Description>
        <dl className={styles.differences}>
          {differences.map(({ field, name, before, theirs, mine: typed }) => (
            <div key={field}>
              <dt>{name}</dt>
              <dd>
                <del>{before}</del>
                <ins>{theirs}</ins>
                {typed !== null && <span>{messages.typed(typed)}</span>}
              </dd>
            </div>
          ))}
        </dl>
        <chakra.p color="fg.muted">{messages.hint}</chakra.p>
      </Dialog.Body>
      <Dialog.Footer>
        <Button variant="outline" onClick={onKeepTheirs}>
          {messages.keepTheirs}
        </Button>
        <Button ref={mine} onClick={onKeepMine}>
          {messages.keepMine}
        </Button>
      </Dialog.Footer>
    </Modal>
  );
}
