import { chakra } from '@chakra-ui/react';
import { Link } from 'react-router';
import { client } from '../../lib/graphql/client/client';
import { accountPath, messagesPath, paths, withParams } from '../../lib/routing/paths';
import { useAccess } from '../../lib/session/access';
import { useStore } from '../../lib/store';
import { appMessages } from '../app.messages';
import { useAccessQuery } from './generated/access';
import { unhandledCountStore } from './useSessionCounts';

const messages = appMessages.account;

/** Name and role of the logged-in account, with links to its screens. */
export default function AccountLinks() {
  const { data } = useAccessQuery({ client, fetchPolicy: 'cache-first' });
  const { role, canWrite, isLimited } = useAccess();
  const unhandledMessages = useStore(unhandledCountStore);
  return (
    <>
      <chakra.p display="grid" py="2" px="3" overflowWrap="anywhere">
        <strong>{data?.me.username}</strong>
        <small>{messages.roles[role]}</small>
      </chakra.p>
      <ul>
        <li>
          <Link to={accountPath}>{messages.own}</Link>
        </li>
        {canWrite && !isLimited && (
          <>
            <li>
              <Link to={messagesPath}>
                {messages.inbox} {unhandledMessages > 0 && <small>{messages.newMessages(unhandledMessages)}</small>}
              </Link>
            </li>
            <li>
              <Link to={withParams(paths.settings, { aba: 'atividade' })}>{messages.activity}</Link>
            </li>
          </>
        )}
      </ul>
    </>
  );
}
