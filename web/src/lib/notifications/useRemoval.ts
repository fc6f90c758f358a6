import { useApolloClient } from '@apollo/client/react';
import { evictFields } from '../graphql/client/evictFields';
import { notify } from './notification';

export interface RemovalOptions<Row> {
  /** Title and button of `ConfirmDialog`. Default: the texts of a removal. */
  title?: string;
  confirmLabel?: string;
  message: (row: Row) => string;
  /** Removes the row on the server. If it throws, the dialog stays open and shows the reason. */
  send: (row: Row) => Promise<unknown>;
  /** Called before the dialog closes, to refetch a list that is not in the cache. */
  refetch?: () => Promise<unknown>;
  /** The entity that is evicted from the cache after the dialog has closed. */
  entity?: (row: Row) => { __typename: string; [keyField: string]: string };
  /** Further queries in the cache whose results the removal has changed. */
  staleFields?: readonly string[];
  onClose: () => void;
  /** Called after a removal instead of `onClose`, to leave the page of the removed entity. */
  onRemoved?: () => void;
  success: string;
  /** Message of product §8 for a failure without a message of the server. */
  failureMessage: string;
  /** Shows a failure as a notification instead of in the dialog (product §8). */
  isFailureNotified?: boolean;
}

/** Returns a function from a row to the props of the `ConfirmDialog` that removes the row. */
export function useRemoval<Row>({
  title,
  message,
  confirmLabel,
  send,
  refetch,
  entity,
  staleFields = [],
  onClose,
  onRemoved = onClose,
  success,
  failureMessage,
  isFailureNotified = false,
}: RemovalOptions<Row>) {
  const { cache } = useApolloClient();
  return (row: Row) => ({
    title,
    message: message(row),
    confirmLabel,
    failureMessage,
    isFailureNotified,
    onClose,
    onConfirm: async () => {
      await send(row);
      await refetch?.();
      onRemoved();
      if (entity) cache.evict({ id: cache.identify(entity(row)) });
      evictFields(...staleFields)(cache);
      if (entity) cache.gc();
      notify(success);
    },
  });
}
