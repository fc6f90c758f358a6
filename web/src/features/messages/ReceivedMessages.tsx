import { chakra } from '@chakra-ui/react';
import { useQueryState } from '../../lib/graphql/query/useQueryState';
import { useRemoval } from '../../lib/notifications/useRemoval';
import { useDialogParam } from '../../lib/routing/useDialogParam';
import { Chip } from '../../ui/cells/Chip';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { QueryState } from '../../ui/feedback/QueryState';
import { useAction } from '../../ui/form/useAction';
import { SectionHeading } from '../../ui/layout/Page';
import { ListFooter } from '../../ui/list/ListFooter';
import { listMessages } from '../../ui/list/list.messages';
import {
  type MessageRowFragment,
  useContactMessagesQuery,
  useDeleteContactMessageMutation,
} from './generated/messages';
import { Message } from './Message';
import { messagesMessages as messages } from './messages.messages';

const PAGE_SIZE = 15;
const DIALOGS = ['remover'] as const;

/** Contact messages, newest first; each can be answered, marked as handled or removed. */
export function ReceivedMessages() {
  const query = useContactMessagesQuery({
    variables: { limit: PAGE_SIZE },
    refetchWritePolicy: 'merge',
  });
  const { data, state } = useQueryState(query, { failureMessage: messages.failure.load });
  const { messages: rows, total, unread, next } = data?.contactMessages ?? { messages: [], total: 0, unread: 0 };
  const dialog = useDialogParam(DIALOGS);
  const selected = rows.find(({ _id }) => _id === dialog.id);
  const [remove] = useDeleteContactMessageMutation({ refetchQueries: ['SessionCounts'] });
  const getRemovalProps = useRemoval<MessageRowFragment>({
    message: ({ name }) => messages.removal.message(name),
    send: ({ _id }) => remove({ variables: { id: _id } }),
    refetch: () => query.refetch(),
    entity: ({ _id }) => ({ __typename: 'ContactMessage', _id }),
    onClose: dialog.close,
    success: messages.success.removed,
    failureMessage: messages.failure.remove,
  });
  const loadingMore = useAction({
    failureMessage: messages.failure.load,
    // The next page begins at a cursor, so that messages which arrive meanwhile do not shift it.
    send: () => query.fetchMore({ variables: { before: next } }),
  });

  return (
    <>
      <SectionHeading
        title={messages.title}
        text={messages.text}
        action={unread > 0 && <Chip color="orange">{messages.unhandled(unread)}</Chip>}
      />
      <QueryState {...state}>
        {rows.length === 0 ? (
          <EmptyState text={messages.empty} />
        ) : (
          <>
            <chakra.ul layerStyle="rows">
              {rows.map((row) => (
                <Message key={row._id} row={row} onRemove={() => dialog.open('remover', row._id)} />
              ))}
            </chakra.ul>
            <ListFooter onMore={next ? loadingMore.run : undefined} isPending={loadingMore.isPending}>
              <p role="status">{listMessages.count(rows.length, total, messages.nouns)}</p>
            </ListFooter>
          </>
        )}
      </QueryState>
      {dialog.name === 'remover' && selected && <ConfirmDialog {...getRemovalProps(selected)} />}
    </>
  );
}
