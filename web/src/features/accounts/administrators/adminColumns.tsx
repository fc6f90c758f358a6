import { Chip } from '../../../ui/cells/Chip';
import { DateTime, RelativeTime } from '../../../ui/cells/RelativeTime';
import type { Column } from '../../../ui/list/column';
import { accountsMessages } from '../accounts.messages';
import type { AdminsQuery } from '../generated/accounts';
import { RoleText } from '../rights/RoleText';

export type Administrator = AdminsQuery['admins'][number];

const { list: messages } = accountsMessages;

function InvitationChip({ until }: { until: string }) {
  const isExpired = Date.parse(until) <= Date.now();
  return <Chip color={isExpired ? 'red' : 'orange'}>{isExpired ? messages.invitationExpired : messages.invited}</Chip>;
}

/** Returns the columns of the list. @param ownId id of the logged-in administrator, whose row is marked */
export const createAdminColumns = (ownId: string | undefined): Column<Administrator>[] => [
  {
    id: 'username',
    header: messages.columns.username,
    isHeading: true,
    cell: ({ _id, username, invitedUntil }) => (
      <>
        {username} {_id === ownId && <small>({messages.you})</small>}{' '}
        {invitedUntil && <InvitationChip until={invitedUntil} />}
      </>
    ),
    sort: ({ username }) => username,
  },
  {
    id: 'role',
    header: messages.columns.role,
    width: '132px',
    cell: ({ role, projects }) => <RoleText role={role} projects={projects} />,
    sort: ({ role }) => role,
  },
  {
    id: 'createdAt',
    isWide: true,
    header: messages.columns.created,
    width: '160px',
    cell: ({ createdAt }) => <DateTime at={createdAt} />,
    sort: ({ createdAt }) => createdAt,
  },
  {
    id: 'lastLoginAt',
    header: messages.columns.lastLogin,
    width: '124px',
    cell: ({ lastLoginAt }) => (lastLoginAt ? <RelativeTime at={lastLoginAt} /> : messages.never),
    sort: ({ lastLoginAt }) => lastLoginAt,
  },
  {
    id: 'totp',
    header: messages.columns.totp,
    width: '124px',
    cell: ({ totp }) => <Chip color={totp ? 'green' : 'neutral'}>{totp ? messages.on : messages.off}</Chip>,
  },
];
