import { Chip } from '../../ui/list/Chip';
import type { Column } from '../../ui/list/column';
import { DateTime, RelativeTime } from '../../ui/list/RelativeTime';
import { accountsMessages } from './accounts.messages';
import styles from './accounts.module.css';
import type { AdminsQuery } from './generated/accounts';

export type Administrator = AdminsQuery['admins'][number];

const { list: messages } = accountsMessages;

/** @param me id of the logged-in administrator, whose row is marked */
export const adminColumns = (me: string | undefined): Column<Administrator>[] => [
  {
    id: 'username',
    header: messages.columns.username,
    heading: true,
    cell: ({ _id, username }) => (
      <>
        {username}
        {_id === me && <small className={styles.you}>({messages.you})</small>}
      </>
    ),
    sort: ({ username }) => username,
  },
  {
    id: 'createdAt',
    header: messages.columns.created,
    width: '160px',
    short: true,
    cell: ({ createdAt }) => <DateTime at={createdAt} />,
    sort: ({ createdAt }) => createdAt,
  },
  {
    id: 'lastLoginAt',
    header: messages.columns.lastLogin,
    width: '150px',
    short: true,
    cell: ({ lastLoginAt }) => (lastLoginAt ? <RelativeTime at={lastLoginAt} /> : messages.never),
    sort: ({ lastLoginAt }) => lastLoginAt,
  },
  {
    id: 'totp',
    header: messages.columns.totp,
    width: '140px',
    short: true,
    cell: ({ totp }) => <Chip color={totp ? 'green' : 'neutral'}>{totp ? messages.on : messages.off}</Chip>,
  },
];
