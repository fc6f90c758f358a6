import type { DeliveryState } from '../../generated/graph';
import { notifyFailure } from '../../lib/notification';
import { useSubmit } from '../../ui/form/useSubmit';
import { Chip, type ChipColor } from '../../ui/list/Chip';
import { RelativeTime } from '../../ui/list/RelativeTime';
import { RemoveAction, RowAction } from '../../ui/list/RowAction';
import { type MessageRowFragment, useSetContactHandledMutation } from './generated/messages';
import { messagesMessages as messages } from './messages.messages';
import styles from './messages.module.css';

const COLORS: Record<DeliveryState, ChipColor> = { pending: 'orange', sent: 'green', failed: 'red' };

function Deliveries({ deliveries }: Pick<MessageRowFragment, 'deliveries'>) {
  if (deliveries.length === 0) return <Chip>{messages.stored}</Chip>;
  return deliveries.map(({ channel, state, attempts, lastError }) => (
    <span key={channel} className={styles.delivery}>
      <Chip color={COLORS[state]}>{messages.delivery(channel, state)}</Chip>
      {state !== 'sent' && lastError && <small>{`${messages.attempts(attempts)}. ${lastError}`}</small>}
    </span>
  ));
}

interface MessageProps {
  row: MessageRowFragment;
  /** Called after it was marked, since the count of unhandled messages has changed. */
  onChanged: () => Promise<unknown>;
  onRemove: () => void;
}

/** A contact message with its deliveries and actions. */
export function Message({ row, onChanged, onRemove }: MessageProps) {
  const { _id, name, email, contactInfo, message, handled, createdAt, deliveries } = row;
  const [setHandled] = useSetContactHandledMutation();
  const marking = useSubmit({
    fallback: messages.failure.handle,
    onFailure: notifyFailure,
    send: async () => {
      await setHandled({ variables: { id: _id, handled: !handled } });
      await onChanged();
    },
  });
  const replyUrl = `mailto:${email}?${new URLSearchParams({ subject: messages.replySubject }).toString().replaceAll('+', '%20')}`;
  return (
    <li data-handled={handled || undefined}>
      <div className={styles.sender}>
        <h3>{name}</h3>
        {handled && <Chip color="green">{messages.handled}</Chip>}
        <a href={`mailto:${email}`}>{email}</a>
        {contactInfo && <span>{contactInfo}</span>}
        <RelativeTime at={createdAt} />
      </div>
      <p>{message}</p>
      <div className={styles.deliveries}>
        <Deliveries deliveries={deliveries} />
      </div>
      <div className={styles.actions}>
        <RowAction
          label={handled ? messages.reopen : messages.handle}
          of={name}
          icon={handled ? 'undo' : 'check'}
          onClick={marking.submit}
        />
        <RowAction
          label={messages.reply}
          of={name}
          icon="reply"
          onClick={() => {
            window.location.href = replyUrl;
          }}
        />
        <RemoveAction label={messages.remove} of={name} onClick={onRemove} />
      </div>
    </li>
  );
}
