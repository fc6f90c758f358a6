import { Chip } from '../../ui/cells/Chip';
import { DateTime, RelativeTime } from '../../ui/cells/RelativeTime';
import type { Column } from '../../ui/list/column';
import { uiMessages } from '../../ui/ui.messages';
import type { TokenRowFragment } from './generated/tokens';
import { tokensMessages } from './tokens.messages';

export type Token = TokenRowFragment;

const { list: messages, form: fieldMessages } = tokensMessages;
const MAX_SHOWN_SCOPES = 3;

const getState = ({ disabled, expiresAt }: Token): keyof typeof messages.states => {
  if (expiresAt && Date.parse(expiresAt) <= Date.now()) return 'expired';
  return disabled ? 'disabled' : 'active';
};

function formatScopes({ scopes, site }: Token): string {
  if (site) return messages.publishes(site.label ?? fieldMessages.siteTypes[site.type]);
  const moreCount = scopes.length - MAX_SHOWN_SCOPES;
  return [...scopes.slice(0, MAX_SHOWN_SCOPES), ...(moreCount > 0 ? [messages.more(moreCount)] : [])].join(', ');
}

export const tokenColumns: Column<Token>[] = [
  {
    id: 'name',
    header: messages.columns.name,
    isHeading: true,
    cell: ({ name, prefix }) => (
      <>
        {name} <small>{prefix}…</small>
      </>
    ),
    sort: ({ name }) => name,
  },
  { id: 'scopes', isWide: true, header: messages.columns.scopes, flex: 2, cell: formatScopes },
  {
    id: 'expiresAt',
    header: messages.columns.expires,
    width: '150px',
    cell: ({ expiresAt }) => (expiresAt ? <DateTime at={expiresAt} /> : messages.noExpiry),
    sort: ({ expiresAt }) => expiresAt ?? null,
  },
  {
    id: 'lastUsedAt',
    header: messages.columns.used,
    width: '150px',
    cell: ({ lastUsedAt, lastUsedFrom }) =>
      lastUsedAt ? (
        <span title={lastUsedFrom ? uiMessages.from(lastUsedFrom) : undefined}>
          <RelativeTime at={lastUsedAt} />
        </span>
      ) : (
        messages.never
      ),
    sort: ({ lastUsedAt }) => lastUsedAt ?? null,
  },
  {
    id: 'state',
    header: messages.columns.state,
    width: '120px',
    cell: (token) => {
      const state = getState(token);
      return <Chip color={state === 'active' ? 'green' : 'neutral'}>{messages.states[state]}</Chip>;
    },
  },
];
