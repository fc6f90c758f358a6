import { chakra, Flex } from '@chakra-ui/react';
import { type ReactNode, useMemo } from 'react';
import { getSiteHost } from '../../../lib/hosts/host';
import { useSearchText } from '../../../lib/routing/useSearchText';
import { useShowRequests } from '../../../lib/routing/useShowRequests';
import { EmptyState, NoMatch } from '../../../ui/feedback/EmptyState';
import { QueryState } from '../../../ui/feedback/QueryState';
import { Select } from '../../../ui/form/fields/SelectField';
import { ListFooter } from '../../../ui/list/ListFooter';
import { listMessages } from '../../../ui/list/list.messages';
import { DataList } from '../../../ui/list/rows/DataList';
import { EditAction, RemoveAction, RequestsAction } from '../../../ui/list/rows/RowAction';
import { Sentinel } from '../../../ui/list/Sentinel';
import { SearchField } from '../../../ui/list/toolbar/SearchField';
import type { SubdomainRowFragment } from '../generated/subdomains';
import { subdomainsMessages } from '../subdomains.messages';
import { useTargetCheck } from '../target/useTargetCheck';
import { createSubdomainColumns } from './subdomainColumns';
import type { useSubdomains } from './useSubdomains';

const messages = subdomainsMessages.list;

const getLabel = ({ subdomain }: SubdomainRowFragment) => subdomain;

const filtersCss = { '& > search': { maxWidth: { mdDown: 'none' } }, '& select': { fieldSizing: 'content' } };

interface SubdomainListProps {
  subdomains: ReturnType<typeof useSubdomains>;
  onEdit: (subdomain: string) => void;
  onRemove: (subdomain: string) => void;
  emptyAction: ReactNode;
}

/** Shows the number of loaded rows. Scrolling, or the button, loads the next rows. */
function MoreSubdomains({ rows, total, loading, failure, isComplete, loadMore }: SubdomainListProps['subdomains']) {
  const hasMore = total !== null && !isComplete;
  return (
    <>
      {hasMore && !loading && !failure && <Sentinel key={rows.length} onNear={loadMore} />}
      <ListFooter onMore={hasMore ? loadMore : undefined} isPending={loading}>
        <p role="status">{total ? listMessages.count(rows.length, total, messages.nouns) : ''}</p>
      </ListFooter>
    </>
  );
}

export function SubdomainList({ subdomains, onEdit, onRemove, emptyAction }: SubdomainListProps) {
  const { filter, setState, appliedFilter, rows, total, loading, failure, retry } = subdomains;
  const [text, setText] = useSearchText();
  const checkTarget = useTargetCheck();
  const columns = useMemo(() => createSubdomainColumns(checkTarget), [checkTarget]);
  const showRequests = useShowRequests();
  const isFiltered = appliedFilter.search !== '' || appliedFilter.state !== '';
  const isEmpty = total === 0 && !isFiltered;
  return (
    <chakra.section mt={{ base: '4', md: '6' }} aria-labelledby="current">
      <chakra.h2 id="current" textStyle="lg">
        {messages.title}
      </chakra.h2>
      {!isEmpty && (
        <Flex rowGap="2" columnGap="3" mt="2" mb={{ base: '2', md: '3' }} css={filtersCss}>
          <SearchField label={listMessages.search(messages.nouns)} value={text} onChange={setText} />
          <chakra.div flex={{ base: 'none', md: '0 1 240px' }}>
            <Select
              aria-label={messages.state.label}
              value={filter.state}
              options={messages.state.options}
              onChange={setState}
            />
          </chakra.div>
        </Flex>
      )}
      <QueryState isReady={total !== null} loading={loading} failure={failure} onRetry={retry}>
        {isEmpty && <EmptyState text={messages.empty} action={emptyAction} />}
        {rows.length === 0 && isFiltered && (
          <NoMatch
            search={appliedFilter.search}
            onClear={() => {
              setText('');
              setState('');
            }}
          />
        )}
        {rows.length > 0 && (
          <DataList
            list={{ columns, rows, matchCount: total ?? undefined }}
            label={messages.title}
            rowKey={getLabel}
            getRowName={getLabel}
            headingLevel={3}
            actionsWidth="244px"
            actions={({ _id, subdomain }) => (
              <>
                <RequestsAction onClick={() => showRequests('subdominio', _id, getSiteHost(subdomain))} />
                <EditAction onClick={() => onEdit(subdomain)} />
                <RemoveAction onClick={() => onRemove(subdomain)} />
              </>
            )}
          />
        )}
        <MoreSubdomains {...subdomains} />
      </QueryState>
    </chakra.section>
  );
}
