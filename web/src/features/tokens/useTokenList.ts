import { notify } from '../../lib/notifications/notification';
import { useRemoval } from '../../lib/notifications/useRemoval';
import { useListQuery } from '../../shared/list/useListQuery';
import { type TokensQuery, useDeleteTokenMutation, useTokensQuery, useUpdateTokenMutation } from './generated/tokens';
import { type Token, tokenColumns } from './tokenColumns';
import { tokensMessages as messages } from './tokens.messages';

const selectRows = ({ tokens }: TokensQuery) => tokens;
const toSearchText = ({ name, prefix, scopes }: Token) => `${name} ${prefix} ${scopes.join(' ')}`;

/**
 * The tokens of an account, and the actions that change a token.
 * @param account the id of a service account; `null` stands for the logged-in account
 */
export function useTokenList(account: string | null, closeDialog: () => void) {
  const tokens = useListQuery(useTokensQuery({ variables: { account } }), {
    selectRows,
    columns: tokenColumns,
    toSearchText,
    failureMessage: messages.failure.load,
    isFailureNotified: true,
  });
  const [deleteToken] = useDeleteTokenMutation();
  const [update] = useUpdateTokenMutation();
  const setDisabled = async ({ _id }: Token, disabled: boolean) => {
    await update({ variables: { id: _id, input: { disabled } } });
    notify(disabled ? messages.success.disabled : messages.success.enabled);
  };
  const getRemovalProps = useRemoval<Token>({
    title: messages.removal.title,
    message: ({ name }) => messages.removal.message(name),
    confirmLabel: messages.removal.confirm,
    send: ({ _id }) => deleteToken({ variables: { id: _id } }),
    entity: ({ _id }) => ({ __typename: 'ApiToken', _id }),
    onClose: closeDialog,
    success: messages.success.removed,
    failureMessage: messages.failure.remove,
  });
  return { tokens, setDisabled, getRemovalProps };
}
