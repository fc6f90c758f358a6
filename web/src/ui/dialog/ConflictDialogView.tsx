import { Button, chakra, Dialog, Grid } from '@chakra-ui/react';
import { useRef } from 'react';
import type { Conflict } from '../form/state/conflict';
import { conflictMessages as messages } from './conflict.messages';
import { Modal } from './Modal';

/**
 * Shows the changes that another person has saved since the form was opened, and asks whose changes stay. The focus
 * starts on the button that keeps the text typed in this form.
 */
export default function ConflictDialogView({ differences, onKeepMine, onKeepTheirs, onClose }: Conflict) {
  const keepMineButton = useRef<HTMLButtonElement>(null);
  return (
    <Modal title={messages.title} width={600} role="alertdialog" initialFocus={keepMineButton} onClose={onClose}>
      <Dialog.Body>
        <Dialog.Description>{messages.text}</Dialog.Description>
        <Grid as="dl" gap="3" mt="3" mb="4">
          {differences.map(({ field, label, before, theirs, mine: typed }) => (
            <div key={field}>
              <chakra.dt fontWeight="semibold" mb="1">
                {label}
              </chakra.dt>
              <Grid
                as="dd"
                templateColumns="minmax(0, 1fr)"
                gap="0.5"
                py="2"
                px="3"
                borderInlineStart="3px solid"
                borderColor="brand.solid"
                bg="bg.subtle"
                overflowWrap="anywhere"
              >
                <chakra.del color="fg.muted">{before}</chakra.del>
                <chakra.ins fontWeight="medium" textDecoration="none">
                  {theirs}
                </chakra.ins>
                {typed !== null && <chakra.span color="fg.muted">{messages.typed(typed)}</chakra.span>}
              </Grid>
            </div>
          ))}
        </Grid>
        <chakra.p color="fg.muted">{messages.hint}</chakra.p>
      </Dialog.Body>
      <Dialog.Footer>
        <Button variant="outline" onClick={onKeepTheirs}>
          {messages.keepTheirs}
        </Button>
        <Button ref={keepMineButton} onClick={onKeepMine}>
          {messages.keepMine}
        </Button>
      </Dialog.Footer>
    </Modal>
  );
}
