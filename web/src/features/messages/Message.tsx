import type { DeliveryState } from '../../generated/graph';
import { notify, notifyError } from '../../lib/notification';
import { useSubmit } from '../../ui/form/useSubmit';
import { Chip, type ChipColor } from '../../ui/list/Chip';
import { ContactText } from '../../ui/list/ContactText';
import { RelativeTime } from '../../ui/list/RelativeTime';
import { RemoveAction, RowAction } from '../../ui/list/RowAction';
import {
  type MessageRowFragment,
  useSetContactAnsweredMutation,
  useSetContactHandledMutation,
} from './generated/messages';
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

/** Marks a message, and reads the counts again. */
const useMarking = (mark: () => Promise<unknown>, onChanged: () => Promise<unknown>) =>
  useSubmit({
    fallback: messages.failure.mark,
    onFailure: notifyError,
    send: async () => {
      await mark();
      await onChanged();
    },
  });

interface MessageProps {
  row: MessageRowFragment;
  /** Called after it was marked, since the count of unhandled messages has changed. */
  onChanged: () => Promise<unknown>;
  onRemove: () => void;
}

/** A contact message with its deliveries and actions. */
export function Message({ row, onChanged, onRemove }: MessageProps) {
  const { _id, name, email, contactInfo, message, handled, answeredAt, createdAt, deliveries } = row;
  const [setHandled] = useSetContactHandledMutation();
  const [setAnswered] = useSetContactAnsweredMutation();
  const handling = useMarking(() => setHandled({ variables: { id: _id, handled: !handled } }), onChanged);
  const answering = useMarking(() => setAnswered({ variables: { id: _id, answered: !answeredAt } }), onChanged);
  // The mail program does not say whether it sent something.
  const askWhetherSent = { timeoutMs: 12_000, action: { label: messages.markAnswered, run: answering.submit } };
  const replyUrl = `mailto:${email}?${new URLSearchParams({ subject: messages.replySubject }).toString().replaceAll('+', '%20')}`;
  return (
    <li data-handled={handled || undefined}>
      <div className={styles.sender}>
        <h3>{name}</h3>
        {answeredAt ? (
          <Chip color="green">
            {messages.answered} <RelativeTime at={answeredAt} />
          </Chip>
        ) : (
          handled && <Chip>{messages.handled}</Chip>
        )}
        <a href={`mailto:${email}`}>{email}</a>
        {contactInfo && (
          <span>
            <ContactText text={contactInfo} />
          </span>
        )}
        <RelativeTime at={createdAt} />
      </div>
      <p>{message}</p>
      <div className={styles.deliveries}>
        <Deliveries deliveries={deliveries} />
      </div>
      <div className={styles.actions}>
        <RowAction
          label={messages.reply}
          of={name}
          icon="reply"
          onClick={() => {
            window.location.href = replyUrl;
            if (!answeredAt) notify(messages.replying, askWhetherSent);
          }}
        />
        <RowAction
          label={answeredAt ? messages.unanswer : messages.answer}
          of={name}
          icon={answeredAt ? 'undo' : 'check'}
          onClick={answering.submit}
        />
        <RowAction
          label={handled ? messages.reopen : messages.handle}
          of={name}
          icon={handled ? 'undo' : 'check'}
          onClick={handling.submit}
        />
        <RemoveAction of={name} onClick={onRemove} />
      </div>
    </li>
  );
}
