import { Dialog } from '@chakra-ui/react';
import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useQueryState } from '../../lib/useQueryState';
import type { RequestSubject } from '../../lib/useShowRequests';
import { Modal } from '../../ui/dialog/Modal';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { QueryState } from '../../ui/feedback/QueryState';
import { Button } from '../../ui/form/Button';
import { ListFooter } from '../../ui/list/ListFooter';
import { Select } from '../../ui/list/Select';
import { requestsMessages as messages } from './gateway-requests.messages';
import { useRequestLogQuery, useRequestNamesQuery } from './generated/gateway-requests';
import { RequestRow } from './RequestRow';
import { keyedRows, totalWeight } from './requestRows';
import styles from './requests.module.css';

const POLL_INTERVAL_MS = 3000;
const INITIAL_LIMIT = 100;
/** The server returns no more. */
const MAX_LIMIT = 500;
const timeFormat = new Intl.DateTimeFormat('pt-BR', { timeStyle: 'medium' });

/** The graph's argument for each kind of subject. */
const ARGUMENTS = { chave: 'key', rota: 'route', subdominio: 'subdomain', tenant: 'tenant' } as const;
const filterOf = ({ kind, id }: RequestSubject) => (kind === 'todas' ? {} : { [ARGUMENTS[kind]]: id });

/** The subject's name, and those of the keys in the log. */
function useNames({ kind, id, name }: RequestSubject) {
  const isGateway = kind !== 'subdominio' && kind !== 'tenant';
  const { data } = useRequestNamesQuery({ skip: !isGateway, fetchPolicy: 'cache-first' });
  const keys = new Map(data?.apiKeys.map((key) => [key._id, key.name]));
  const subjectName = kind === 'chave' ? keys.get(id) : data?.gatewayRoutes.find(({ _id }) => _id === id)?.origin;
  /** Null for a deleted key; undefined without a key, or where the subject itself is the key. */
  const keyName = (keyId?: string | null) =>
    keyId && kind !== 'chave' && data ? (keys.get(keyId) ?? null) : undefined;
  return { name: name || subjectName, keyName };
}

/** The last requests of a key, a route, a subdomain or a tenant, or of all; refreshed while the page is visible. */
export default function RequestsDrawer({ subject, onClose }: { subject: RequestSubject; onClose: () => void }) {
  const { name, keyName } = useNames(subject);
  const [status, setStatus] = useState('');
  const [limit, setLimit] = useState(INITIAL_LIMIT);
  const [pausedAt, setPausedAt] = useState<number | null>(null);
  const { data, state } = useQueryState(
    useRequestLogQuery({
      variables: { ...filterOf(subject), status: status || null, limit },
      fetchPolicy: 'no-cache',
      pollInterval: pausedAt === null ? POLL_INTERVAL_MS : 0,
      skipPollAttempt: () => document.hidden,
    }),
    { fallback: messages.failure },
  );
  const rows = data?.requestLog ?? [];
  const requests = totalWeight(rows);
  const isPaused = pausedAt !== null;

  return (
    <Modal title={name ? messages.titleOf(name) : messages.title} width={880} placement="side" onClose={onClose}>
      <Dialog.Body className={styles.body}>
        <div className={styles.toolbar}>
          <Select label={messages.status.label} value={status} options={messages.status.options} onChange={setStatus} />
          <div className={styles.polling}>
            <span className={styles.live} data-live={!isPaused || undefined}>
              {isPaused ? messages.paused(timeFormat.format(pausedAt)) : messages.live}
            </span>
            <Button variant="outline" size="sm" onClick={() => setPausedAt(isPaused ? null : Date.now())}>
              {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
              {isPaused ? messages.resume : messages.pause}
            </Button>
          </div>
        </div>
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
              {requests > rows.length && <p className={styles.sample}>{messages.sampled(rows.length, requests)}</p>}
              <ol className={styles.rows} aria-label={messages.title}>
                {keyedRows(rows).map(({ key, row }) => (
                  <li key={key}>
                    <RequestRow row={row} keyName={keyName(row.keyId)} isKindShown={subject.kind === 'todas'} />
                  </li>
                ))}
              </ol>
              <ListFooter>
                <span>{messages.shown(rows.length)}</span>
                {rows.length >= limit && limit < MAX_LIMIT && (
                  <Button variant="outline" size="sm" onClick={() => setLimit(MAX_LIMIT)}>
                    {messages.more}
                  </Button>
                )}
              </ListFooter>
            </>
          )}
        </QueryState>
      </Dialog.Body>
    </Modal>
  );
}
