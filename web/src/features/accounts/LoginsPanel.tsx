import { Grid } from '@chakra-ui/react';
import { useQueryState } from '../../lib/graphql/query/useQueryState';
import rowStyles from '../../ui/cells/cells.module.css';
import { RelativeTime } from '../../ui/cells/RelativeTime';
import { QueryState } from '../../ui/feedback/QueryState';
import { Panel } from '../../ui/layout/Page';
import { uiMessages } from '../../ui/ui.messages';
import { accountsMessages } from './accounts.messages';
import { useMyLoginsQuery } from './generated/accounts';

const { logins: messages, failure } = accountsMessages;

/** The last logins of the logged-in account, so that its owner notices the login of a stranger. */
export function LoginsPanel() {
  const { data, state } = useQueryState(useMyLoginsQuery(), { failureMessage: failure.load });
  return (
    <Panel title={messages.title} text={messages.text}>
      <QueryState {...state} skeleton="text">
        <Grid as="ul" gap="2" mt="4" aria-label={messages.title}>
          {data?.myLogins.entries.map(({ _id, at, action, address, count }) => (
            <li key={_id}>
              {messages.actions[action]} <RelativeTime at={at} />
              <small className={rowStyles.below}>
                {uiMessages.from(address)}
                {count > 1 && ` · ${messages.times(count)}`}
              </small>
            </li>
          ))}
        </Grid>
      </QueryState>
    </Panel>
  );
}
