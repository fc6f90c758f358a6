import type { ApolloClient } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import type { AuditedEntity } from '../../generated/graph';
import { downloadCsv } from '../../lib/format/csv';
import { useQueryState } from '../../lib/graphql/query/useQueryState';
import { useSearchParamsState } from '../../lib/routing/useSearchParamsState';
import { useSearchText } from '../../lib/routing/useSearchText';
import { useAccess } from '../../lib/session/access';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { QueryState } from '../../ui/feedback/QueryState';
import { SubmitButton } from '../../ui/form/Form';
import { SelectField } from '../../ui/form/fields/SelectField';
import { TextField } from '../../ui/form/fields/textFields';
import { useAction } from '../../ui/form/useAction';
import { SectionHeading } from '../../ui/layout/Page';
import { ListFooter } from '../../ui/list/ListFooter';
import { listMessages } from '../../ui/list/list.messages';
import { DataList } from '../../ui/list/rows/DataList';
import { auditMessages as messages } from './audit.messages';
import { createAuditColumns } from './auditColumns';
import { type AuditEntry, toCsv } from './csv';
import { AuditDocument, type AuditQueryVariables, useAuditNamesQuery, useAuditQuery } from './generated/audit';

const PAGE_SIZE = 30;
const MAX_PAGE_SIZE = 100;
const NO_ENTRIES = { entries: [], names: [], total: 0 };
const ENTITIES = Object.keys(messages.entities) as AuditedEntity[];
/** Entities whose entries only administrators may read. */
const ADMINISTRATOR_ENTITIES: readonly AuditedEntity[] = ['admin', 'token', 'login'];
const createEntityOptions = (isAdministrator: boolean) => [
  { value: '', label: messages.allEntities },
  ...ENTITIES.filter((entity) => isAdministrator || !ADMINISTRATOR_ENTITIES.includes(entity)).map((entity) => ({
    value: entity,
    label: entity === 'login' ? messages.logins : messages.entities[entity],
  })),
];

const filtersCss = { '& > *': { flex: '1 1 200px', maxWidth: { sm: '320px' } } };
const getRowId = ({ _id }: AuditEntry) => _id;

/** Reads all pages. A new entry shifts the older ones, so a page may repeat an entry; the map stores it once. */
async function readAllEntries(client: ApolloClient, filter: Omit<AuditQueryVariables, 'page' | 'limit'>) {
  const entriesById = new Map<string, AuditEntry>();
  for (let page = 1; ; page += 1) {
    const variables = { page, limit: MAX_PAGE_SIZE, ...filter };
    // In the cache, these larger pages would replace the pages on screen.
    const { data } = await client.query({ query: AuditDocument, variables, fetchPolicy: 'no-cache' });
    const entries = data?.audit.entries ?? [];
    for (const entry of entries) entriesById.set(entry._id, entry);
    if (entries.length < MAX_PAGE_SIZE) return [...entriesById.values()];
  }
}

/** The audit trail, newest first. The filter is in the URL. */
export function AuditTab() {
  const client = useApolloClient();
  const { isAdministrator } = useAccess();
  const { params, update } = useSearchParamsState();
  const entity = ENTITIES.find((candidate) => candidate === params.get('tipo')) ?? null;
  const actor = params.get('quem');
  const [actorText, setActorText] = useSearchText('quem');
  const { data: currentNames } = useAuditNamesQuery();
  const query = useAuditQuery({
    variables: { page: 1, limit: PAGE_SIZE, entity, actor },
    // A refetch keeps the pages that the user has loaded.
    refetchWritePolicy: 'merge',
  });
  const { data, state } = useQueryState(query, { failureMessage: messages.failure.load, isFailureNotified: true });
  const { entries, names, total } = data?.audit ?? NO_ENTRIES;
  const columns = useMemo(() => {
    const namedEntities = [...names, ...(currentNames?.projects ?? []), ...(currentNames?.gatewayServices ?? [])];
    return createAuditColumns(new Map(namedEntities.map(({ _id, name }) => [_id, name])));
  }, [currentNames, names]);

  const loadingMore = useAction({
    failureMessage: messages.failure.load,
    send: async () => {
      await query.fetchMore({ variables: { page: Math.floor(entries.length / PAGE_SIZE) + 1 } });
      // New entries move the others to later pages. The refetch adds them, so that the row count gives the next page.
      await query.refetch();
    },
  });
  const exporting = useAction({
    failureMessage: messages.failure.export,
    send: async () => downloadCsv(messages.file, toCsv(await readAllEntries(client, { entity, actor }))),
  });

  return (
    <>
      <SectionHeading
        title={messages.title}
        text={messages.text}
        action={
          <SubmitButton variant="outline" size="sm" action={exporting} icon={<Download aria-hidden />}>
            {messages.export}
          </SubmitButton>
        }
      />
      <Flex wrap="wrap" rowGap="2" columnGap="4" my="4" css={filtersCss}>
        <SelectField
          label={messages.entity}
          value={entity ?? ''}
          options={createEntityOptions(isAdministrator)}
          onChange={(value) => update({ tipo: value })}
        />
        <TextField
          label={messages.actor}
          type="search"
          autoCapitalize="none"
          value={actorText}
          placeholder={messages.allActors}
          onChange={({ target }) => setActorText(target.value)}
        />
      </Flex>
      <QueryState {...state}>
        {entries.length === 0 ? (
          <EmptyState text={messages.empty} />
        ) : (
          <DataList list={{ columns, rows: entries }} label={messages.title} rowKey={getRowId} headingLevel={3} />
        )}
        <ListFooter onMore={entries.length < total ? loadingMore.run : undefined} isPending={loadingMore.isPending}>
          <p role="status">{listMessages.count(entries.length, total, messages.nouns)}</p>
        </ListFooter>
      </QueryState>
    </>
  );
}
