import { chakra, Flex, Grid, Link } from '@chakra-ui/react';
import type { DeliveryState } from '../../generated/graph';
import { hideNotification, notify } from '../../lib/notifications/notification';
import { Chip, type ChipColor } from '../../ui/cells/Chip';
import { ContactText } from '../../ui/cells/ContactText';
import { RelativeTime } from '../../ui/cells/RelativeTime';
import { useAction } from '../../ui/form/useAction';
import { RemoveAction, RowAction, RowNameContext } from '../../ui/list/rows/RowAction';
import {
  ContactMessagesDocument,
  type MessageRowFragment,
  useSetContactAnsweredMutation,
  useSetContactHandledMutation,
} from './generated/messages';
import { messagesMessages as messages } from './messages.messages';

const COLORS: Record<DeliveryState, ChipColor> = { pending: 'orange', sent: 'green', failed: 'red' };

function Deliveries({ deliveries }: Pick<MessageRowFragment, 'deliveries'>) {
  if (deliveries.length === 0) return <Chip>{messages.notDelivered}</Chip>;
  return deliveries.map(({ channel, state, attempts, lastError }) => (
    <Flex as="span" key={channel} wrap="wrap" align="center" gap="2">
      <Chip color={COLORS[state]}>{messages.delivery(channel, state)}</Chip>
      {state !== 'sent' && lastError && <small>{`${messages.attempts(attempts)}. ${lastError}`}</small>}
    </Flex>
  ));
}

/** Options of mutations that change the count of unhandled messages, which the top bar shows too. */
const MESSAGE_MUTATION_OPTIONS = { refetchQueries: [ContactMessagesDocument, 'SessionCounts'] };

const useMarking = (send: () => Promise<unknown>) => useAction({ failureMessage: messages.failure.mark, send });

interface MessageProps {
  row: MessageRowFragment;
  onRemove: () => void;
}

/** The actions that answer, mark and remove a message. */
function MessageActions({ row: { _id, name, email, handled, answeredAt }, onRemove }: MessageProps) {
  const [setHandled] = useSetContactHandledMutation(MESSAGE_MUTATION_OPTIONS);
  const [setAnswered] = useSetContactAnsweredMutation(MESSAGE_MUTATION_OPTIONS);
  const handling = useMarking(() => setHandled({ variables: { id: _id, handled: !handled } }));
  const answering = useMarking(() => setAnswered({ variables: { id: _id, answered: !answeredAt } }));
  // The mail program does not report whether a mail was sent, so the user is asked.
  const answeredQuestion = {
    color: 'neutral',
    timeoutMs: 12_000,
    action: { label: messages.answer, run: answering.run },
  } as const;
  const replyUrl = `mailto:${email}?${new URLSearchParams({ subject: messages.replySubject }).toString().replaceAll('+', '%20')}`;
  return (
    // On a phone this order of the buttons forms two rows of two, so that removal is not alone in a row.
    <Flex
      wrap="wrap"
      alignSelf="end"
      gridArea={{ lg: '2 / 2 / span 2' }}
      columnGap="1"
      m={{ base: '8px -8px -6px', lg: '0 -8px -6px 0' }}
      css={{ '& > button': { minHeight: { base: '44px', md: '32px' } } }}
    >
      <RowNameContext value={name}>
        <RowAction
          label={messages.reply}
          icon="reply"
          onClick={() => {
            window.location.href = replyUrl;
            if (!answeredAt) notify(messages.replying, answeredQuestion);
          }}
        />
        <RowAction
          label={handled ? messages.unhandle : messages.handle}
          icon={handled ? 'undo' : 'check'}
          onClick={handling.run}
        />
        <RowAction
          label={answeredAt ? messages.unanswer : messages.answer}
          icon={answeredAt ? 'undo' : 'mail'}
          onClick={() => {
            // The click also answers the question in the notification.
            hideNotification();
            answering.run();
          }}
        />
        <RemoveAction onClick={onRemove} />
      </RowNameContext>
    </Flex>
  );
}

/** A contact message with its deliveries and actions. */
export function Message({ row, onRemove }: MessageProps) {
  const { name, email, contactInfo, message, handled, answeredAt, createdAt, deliveries } = row;
  return (
    <Grid as="li" templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) auto' }} columnGap="6" p="4">
      <Flex
        wrap="wrap"
        align="baseline"
        rowGap="0.5"
        columnGap="3"
        gridColumn="1 / -1"
        color="fg.muted"
        fontSize="13px"
        overflowWrap="anywhere"
      >
        <chakra.h3 color="fg" textStyle="sm" overflowWrap="anywhere">
          {name}
        </chakra.h3>
        {handled && <Chip>{messages.handled}</Chip>}
        {answeredAt && (
          <Chip color="green">
            {messages.answered} <RelativeTime at={answeredAt} />
          </Chip>
        )}
        <Link href={`mailto:${email}`} overflowWrap="anywhere">
          {email}
        </Link>
        {contactInfo && <ContactText text={contactInfo} />}
        <chakra.span ms="auto">
          <RelativeTime at={createdAt} />
        </chakra.span>
      </Flex>
      <chakra.p
        maxW="72ch"
        mt="1.5"
        color={handled ? 'fg.muted' : undefined}
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
      >
        {message}
      </chakra.p>
      <Flex wrap="wrap" rowGap="1.5" columnGap="3" mt="2.5" gridColumn="1">
        <Deliveries deliveries={deliveries} />
      </Flex>
      <MessageActions row={row} onRemove={onRemove} />
    </Grid>
  );
}
