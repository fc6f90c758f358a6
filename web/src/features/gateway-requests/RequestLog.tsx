import { Button, chakra, Flex } from '@chakra-ui/react';
import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useQueryState } from '../../lib/graphql/useQueryState';
import type { RequestSubject } from '../../lib/routing/useShowRequests';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { QueryState } from '../../ui/feedback/QueryState';
import { Select } from '../../ui/form/SelectField';
import { ListFooter } from '../../ui/list/ListFooter';
import { requestsMessages as messages } from './gateway-requests.messages';
import { useRequestedKeyQuery, useRequestedRouteQuery, useRequestLogQuery } from './generated/gateway-requests';
import { RequestRow } from './RequestRow';
import { keyedRows, totalWeight } from './requestRows';
import styles from './requests.module.css';

const POLL_INTERVAL_MS = 3000;
const INITIAL_LIMIT = 100;
/** The largest number of entries that the server returns. */
const MAX_LIMIT = 500;
const timeFormat = new Intl.DateTimeFormat('pt-BR', { timeStyle: 'medium' });

/** The toolbar stays visible in the drawer, which is a scroll container of its own. */
const toolbarCss = {
  '[role=dialog] &': { position: 'sticky', top: '0', zIndex: '1', paddingTop: '1', bg: 'bg.panel' },
};

/** The graph's argument for each kind of subject. */
const ARGUMENTS = { chave: 'key', rota: 'route', subdominio: 'subdomain', tenant: 'tenant' } as const;
const filterOf = ({ kind, id }: RequestSubject) => (kind === 'todas' ? {} : { [ARGUMENTS[kind]]: id });

/** The name of the subject. It is queried if the address of the page has only the id. */
export function useSubjectName({ kind, id, name }: RequestSubject): string | undefined {
  const options = { variables: { id }, fetchPolicy: 'cache-first' } as const;
  const { data: key } = useRequestedKeyQuery({ ...options, skip: Boolean(name) || kind !== 'chave' });
  const { data: route } = useRequestedRouteQuery({ ...options, skip: Boolean(name) || kind !== 'rota' });
  return name || key?.apiKey?.name || route?.gatewayRoute?.origin;
}

/** The last requests of a subject, refreshed while the page is visible. */
export function RequestLog({ subject, initialStatus = '' }: { subject: RequestSubject; initialStatus?: string }) {
  const [status, setStatus] = useState(initialStatus);
  const [limit, setLimit] = useState(INITIAL_LIMIT);
  const [pausedAt, setPausedAt] = useState<number | null>(null);
  const { data, state } = useQueryState(
    useRequestLogQuery({
      variables: { ...filterOf(subject), status: status || null, limit },
      fetchPolicy: 'no-cache',
      pollInterval: pausedAt === null ? POLL_INTERVAL_MS : 0,
      skipPollAttempt: () => document.hidden,
      refetchOn: false,
    }),
    { fallback: messages.failure },
  );
  const rows = data?.requestLog ?? [];
  const requests = totalWeight(rows);
  const isPaused = pausedAt !== null;

  return (
    <chakra.div containerType="inline-size">
      <Flex wrap="wrap" align="center" justify="space-between" rowGap="2" columnGap="3" pb="3" css={toolbarCss}>
        <Select
          className={styles.select}
          aria-label={messages.status.label}
          value={status}
          options={messages.status.options}
          onChange={setStatus}
        />
        <Flex align="center" gap="3">
          <small className={styles.live} data-live={!isPaused || undefined}>
            {isPaused ? messages.paused(timeFormat.format(pausedAt)) : messages.live}
          </small>
          <Button variant="outline" size="sm" onClick={() => setPausedAt(isPaused ? null : Date.now())}>
            {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
            {isPaused ? messages.resume : messages.pause}
          </Button>
        </Flex>
      </Flex>
      <QueryState {...state}>
        {rows.length === 0 ? (
          <EmptyState
            text={status === '' ? messages.empty : messages.noMatch}
            action={
              status !== '' && (
                <Button variant="outline" size="sm" onClick={() => setStatus('')}>
                  {messages.showAll}
                </Button>
              )
            }
          />
        ) : (
          <>
            {requests > rows.length && (
              <chakra.p layerStyle="info" mb="3">
                {messages.sampled(rows.length, requests)}
              </chakra.p>
            )}
            <chakra.ol layerStyle="rows" className={styles.rows} aria-label={messages.title}>
              {keyedRows(rows).map(({ key, row }) => (
                <li key={key}>
                  <RequestRow row={row} isKeyShown={subject.kind !== 'chave'} isKindShown={subject.kind === 'todas'} />
                </li>
              ))}
            </chakra.ol>
            <ListFooter
              more={messages.more}
              onMore={rows.length >= limit && limit < MAX_LIMIT ? () => setLimit(MAX_LIMIT) : undefined}
            >
              <span>{messages.shown(rows.length)}</span>
            </ListFooter>
          </>
        )}
      </QueryState>
    </chakra.div>
  );
}
