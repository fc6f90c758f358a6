import { Button } from '@chakra-ui/react';
import type { DeliveryState } from '../../generated/graph';
import { Chip, type ChipColor } from '../../ui/Chip';
import { EmptyState } from '../../ui/EmptyState';
import { failureText } from '../../ui/failure';
import { ListState } from '../../ui/ListState';
import { RelativeTime } from '../../ui/Time';
import { type ContactMessagesQuery, useContactMessagesQuery } from './generated/settings';
import { settingsMessages } from './settings.messages';
import styles from './settings.module.css';

const { contact: messages, failure } = settingsMessages;
const PAGE_SIZE = 15;
const COLORS: Record<DeliveryState, ChipColor> = { pending: 'orange', sent: 'green', failed: 'red' };

type Message = ContactMessagesQuery['contactMessages']['messages'][number];

function Deliveries({ deliveries }: Pick<Message, 'deliveries'>) {
  if (deliveries.length === 0) return <Chip>{messages.stored}</Chip>;
  return deliveries.map(({ channel, state, attempts, lastError }) => (
    <span key={channel} className={styles.delivery}>
      <Chip color={COLORS[state]}>{messages.delivery(channel, state)}</Chip>
      {state !== 'sent' && lastError && <small>{`${messages.attempts(attempts)}. ${lastError}`}</small>}
    </span>
  ));
}

/** What visitors wrote, newest first, with where each message was delivered. */
export function ReceivedMessages() {
  const {
    data: fresh,
    previousData,
    loading,
    error,
    refetch,
    fetchMore,
  } = useContactMessagesQuery({
    variables: { page: 1, limit: PAGE_SIZE },
    fetchPolicy: 'network-only',
  });
  const data = fresh ?? previousData;
  const { messages: received, total } = data?.contactMessages ?? { messages: [], total: 0 };

  const loadMore = () =>
    fetchMore({
      variables: { page: Math.floor(received.length / PAGE_SIZE) + 1 },
      updateQuery: (before, { fetchMoreResult: { contactMessages: next } }) => {
        const known = new Set(before.contactMessages.messages.map(({ _id }) => _id));
        const added = next.messages.filter(({ _id }) => !known.has(_id));
        return { contactMessages: { ...next, messages: [...before.contactMessages.messages, ...added] } };
      },
    });

  return (
    <ListState
      ready={data !== undefined}
      loading={loading}
      failure={error ? failureText(error, failure.messages) : null}
      onRetry={() => void refetch().catch(() => undefined)}
    >
      {received.length === 0 ? (
        <EmptyState text={messages.empty} />
      ) : (
        <ul className={styles.messages}>
          {received.map(({ _id, name, email, contactInfo, message, createdAt, deliveries }) => (
            <li key={_id}>
              <div className={styles.sender}>
                <h3>{name}</h3>
                <a href={`mailto:${email}`}>{email}</a>
                {contactInfo && <span>{contactInfo}</span>}
                <RelativeTime at={createdAt} />
              </div>
              <p>{message}</p>
              <div className={styles.deliveries}>
                <Deliveries deliveries={deliveries} />
              </div>
            </li>
          ))}
        </ul>
      )}
      {received.length > 0 && (
        <div className={styles.more}>
          <p role="status">{messages.loaded(received.length, total)}</p>
          {received.length < total && (
            <Button variant="outline" size="sm" onClick={() => void loadMore()} aria-busy={loading || undefined}>
              {messages.loadMore}
            </Button>
          )}
        </div>
      )}
    </ListState>
  );
}
