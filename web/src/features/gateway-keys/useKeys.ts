import type { ApiKeySort, ApiKeyStatus } from '../../generated/graph';
import { covers } from '../../lib/gateway/permissions';
import type { ScreenQuery } from '../../lib/graphql/query/preloadQuery';
import { usePreloadedQuery } from '../../lib/graphql/query/usePreloadedQuery';
import { useSearchParamsState } from '../../lib/routing/useSearchParamsState';
import { useLongListQuery } from '../../shared/list/useLongListQuery';
import { type ListRequest, toOrder } from '../../shared/list/usePagedList';
import type { Column } from '../../ui/list/column';
import type { ListFilter } from '../../ui/list/list';
import { keysMessages as messages } from './gateway-keys.messages';
import {
  type ApiKeyRowFragment,
  ApiKeysDocument,
  type ApiKeysQuery,
  type ApiKeysQueryVariables,
} from './generated/gateway-keys';
import { getKeyStatus } from './list/keyStatus';

const SORTS = ['name', 'usageCount', 'lastUsedAt'] as const satisfies ApiKeySort[];
const STATUSES = ['active', 'expiring', 'expired', 'disabled', 'rotating'] as const satisfies ApiKeyStatus[];

const toSearchText = ({ name, prefix, note, permissions }: ApiKeyRowFragment) =>
  `${name} ${prefix ?? ''} ${note} ${permissions.join(' ')}`;
/** The variables of a request. The newest keys come first, unless a column is chosen. */
const toVariables = (request: ListRequest) => ({
  search: request.search,
  status: STATUSES.find((status) => status === request.filter),
  sortBy: SORTS.find((column) => column === request.sort?.column),
  order: request.sort ? toOrder(request) : undefined,
});

const filter: ListFilter<ApiKeyRowFragment> = {
  label: messages.status.label,
  allLabel: messages.status.all,
  options: Object.entries(messages.status.words).map(([value, label]) => ({ value, label })),
  getValue: (key) => getKeyStatus(key),
};
/** These columns only provide the sort orders. The keys are shown as an expandable list. */
const columns: Column<ApiKeyRowFragment>[] = [
  { id: 'name', header: messages.form.name, sort: ({ name }) => name },
  { id: 'usageCount', header: messages.list.total, sort: ({ usageCount }) => usageCount },
  { id: 'lastUsedAt', header: messages.list.lastUsed, sort: ({ lastUsedAt }) => lastUsedAt ?? null },
];

/** The keys on screen: all, or with `?permissao=` the loaded keys that cover this permission. */
type KeyView =
  | { kind: 'all'; rows: readonly ApiKeyRowFragment[]; total: number }
  | { kind: 'callers'; permission: string; rows: readonly ApiKeyRowFragment[]; total: number }
  | { kind: 'noCallers'; permission: string };

/** The keys that match the parameters of the URL. */
export function useKeys(queryRef: ScreenQuery<ApiKeysQuery, ApiKeysQueryVariables>) {
  const { params, update } = useSearchParamsState();
  const permission = params.get('permissao');
  const keys = useLongListQuery(usePreloadedQuery(queryRef), {
    document: ApiKeysDocument,
    toVariables: (request: ListRequest) => ({ ...toVariables(request), permission }),
    columns,
    toSearchText,
    filter,
    failureMessage: messages.failure.load,
    isFailureNotified: true,
  });
  const { rows, matchCount } = keys.list;
  const toView = (): KeyView => {
    if (permission === null) return { kind: 'all', rows, total: matchCount };
    const callers = rows.filter((key) => covers(key.permissions, permission));
    if (callers.length === 0) return { kind: 'noCallers', permission };
    return { kind: 'callers', permission, rows: callers, total: keys.isPaged ? matchCount : callers.length };
  };
  return { keys, view: toView(), showAll: () => update({ permissao: null }) };
}
