import { useApolloClient } from '@apollo/client/react';
import { Download } from 'lucide-react';
import { useState } from 'react';
import type { AuditedEntity } from '../../generated/graph';
import { downloadCsv } from '../../lib/csv';
import { notifyFailure } from '../../lib/notification';
import { useQueryState } from '../../lib/useQueryState';
import { useSearchParamsState } from '../../lib/useSearchParamsState';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { QueryState } from '../../ui/feedback/QueryState';
import { Button } from '../../ui/form/Button';
import { useSubmit } from '../../ui/form/useSubmit';
import { SectionHeading } from '../../ui/layout/Page';
import { DataList } from '../../ui/list/DataList';
import { ListFooter } from '../../ui/list/ListFooter';
import { LabelledSelect } from '../../ui/list/Select';
import { auditMessages as messages } from './audit.messages';
import styles from './audit.module.css';
import { auditColumns } from './auditColumns';
import { type AuditEntry, csvOf } from './csv';
import { AuditDocument, useAuditQuery } from './generated/audit';

const PAGE_SIZE = 30;
/** The largest page that the server returns. */
const MAX_PAGE_SIZE = 100;
const ENTITIES = Object.keys(messages.entities) as AuditedEntity[];
const ENTITY_OPTIONS = [
  { value: '', label: messages.allEntities },
  ...ENTITIES.map((entity) => ({ value: entity, label: messages.entities[entity] })),
];
const listOf = (rows: readonly AuditEntry[]) => ({ columns: auditColumns, rows });

/** The audit trail, newest first. Its filter is in the address. */
export function AuditTab() {
  const client = useApolloClient();
  const { params, update } = useSearchParamsState();
  const entity = ENTITIES.find((one) => one === params.get('tipo')) ?? null;
  const actor = params.get('quem');
  const [limit, setLimit] = useState(PAGE_SIZE);
  const { data, state } = useQueryState(
    useAuditQuery({ variables: { page: 1, limit, entity, actor }, fetchPolicy: 'no-cache' }),
    { fallback: messages.failure.load, isNotified: true },
  );
  const { entries, total } = data?.audit ?? { entries: [], total: 0 };
  const setFilter = (name: string, value: string) =>
    update((next) => (value ? next.set(name, value) : next.delete(name)), { replace: true });

  const exporting = useSubmit({
    fallback: messages.failure.export,
    onFailure: notifyFailure,
    send: async () => {
      const all: AuditEntry[] = [];
      for (let page = 1; page === 1 || all.length === (page - 1) * MAX_PAGE_SIZE; page += 1) {
        const variables = { page, limit: MAX_PAGE_SIZE, entity, actor };
        const answer = await client.query({ query: AuditDocument, variables, fetchPolicy: 'no-cache' });
        all.push(...(answer.data?.audit.entries ?? []));
      }
      downloadCsv(messages.file, csvOf(all));
    },
  });

  return (
    <>
      <SectionHeading
        title={messages.title}
        action={
          <Button variant="outline" size="sm" onClick={exporting.submit} aria-busy={exporting.pending || undefined}>
            <Download aria-hidden />
            {messages.export}
          </Button>
        }
      />
      <p className={styles.text}>{messages.text}</p>
      <div className={styles.filters}>
        <LabelledSelect
          label={messages.entity}
          value={entity ?? ''}
          options={ENTITY_OPTIONS}
          onChange={(value) => setFilter('tipo', value)}
        />
        <label>
          {messages.actor}
          <input
            type="search"
            className={styles.actor}
            value={actor ?? ''}
            placeholder={messages.allActors}
            onChange={({ target }) => setFilter('quem', target.value)}
          />
        </label>
      </div>
      <QueryState {...state}>
        {entries.length === 0 ? (
          <EmptyState text={messages.empty} />
        ) : (
          <DataList list={listOf(entries)} label={messages.title} rowKey={({ _id }) => _id} headingLevel={3} />
        )}
        <ListFooter>
          <p role="status">{messages.loaded(entries.length, total)}</p>
          {entries.length < total && limit < MAX_PAGE_SIZE && (
            <Button
              variant="outline"
              size="sm"
              onClick={() => setLimit(Math.min(limit + PAGE_SIZE, MAX_PAGE_SIZE))}
              aria-busy={state.loading || undefined}
            >
              {messages.loadMore}
            </Button>
          )}
        </ListFooter>
      </QueryState>
    </>
  );
}
