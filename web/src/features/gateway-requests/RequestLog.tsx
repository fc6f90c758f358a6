import { Button, chakra, Flex } from '@chakra-ui/react';
import { Pause, Play } from 'lucide-react';
import type { RequestSubject } from '../../lib/routing/useShowRequests';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { QueryState } from '../../ui/feedback/QueryState';
import { Select } from '../../ui/form/fields/SelectField';
import { ListFooter } from '../../ui/list/ListFooter';
import { requestsMessages as messages } from './gateway-requests.messages';
import { RequestRow } from './RequestRow';
import { addRowKeys, sumWeights } from './requestRows';
import styles from './requests.module.css';
import { useRequestLog } from './useRequestLog';

type Log = ReturnType<typeof useRequestLog>;

const timeFormat = new Intl.DateTimeFormat('pt-BR', { timeStyle: 'medium' });

const liveMarkStyle = {
  boxSize: '8px',
  borderRadius: 'full',
  bg: 'green.fg',
  content: '""',
  animation: 'pulse 2s ease-in-out infinite',
};
/** The toolbar stays visible in the drawer, which is a scroll container of its own. */
const toolbarCss = {
  '[role=dialog] &': { position: 'sticky', top: '0', zIndex: '1', paddingTop: '1', bg: 'bg.panel' },
};

function Toolbar({ log: { status, setStatus, pausedAt, togglePause } }: { log: Log }) {
  const isPaused = pausedAt !== null;
  return (
    <Flex wrap="wrap" align="center" justify="space-between" rowGap="2" columnGap="3" pb="3" css={toolbarCss}>
      <chakra.div flex="1 1 240px" maxW="360px">
        <Select
          aria-label={messages.status.label}
          value={status}
          options={messages.status.options}
          onChange={setStatus}
        />
      </chakra.div>
      <Flex align="center" gap="3">
        <chakra.small display="inline-flex" alignItems="center" gap="2" _before={isPaused ? undefined : liveMarkStyle}>
          {isPaused ? messages.paused(timeFormat.format(pausedAt)) : messages.live}
        </chakra.small>
        <Button variant="outline" size="sm" onClick={togglePause}>
          {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
          {isPaused ? messages.resume : messages.pause}
        </Button>
      </Flex>
    </Flex>
  );
}

function Empty({ log: { status, setStatus } }: { log: Log }) {
  if (status === '') return <EmptyState text={messages.empty} />;
  return (
    <EmptyState
      text={messages.noMatch}
      action={
        <Button variant="outline" size="sm" onClick={() => setStatus('')}>
          {messages.showAll}
        </Button>
      }
    />
  );
}

function Rows({ subject, log: { rows, showMore } }: { subject: RequestSubject; log: Log }) {
  const requestCount = sumWeights(rows);
  return (
    <>
      {requestCount > rows.length && (
        <chakra.p layerStyle="info" mb="3">
          {messages.sampled(rows.length, requestCount)}
        </chakra.p>
      )}
      <chakra.ol layerStyle="rows" className={styles.rows} aria-label={messages.title}>
        {addRowKeys(rows).map(({ key, row }) => (
          <li key={key}>
            <RequestRow row={row} isKeyShown={subject.kind !== 'chave'} isKindShown={subject.kind === 'todas'} />
          </li>
        ))}
      </chakra.ol>
      <ListFooter onMore={showMore}>
        <span>{messages.shown(rows.length)}</span>
      </ListFooter>
    </>
  );
}

/** The last requests of a subject, refreshed while the page is visible. */
export function RequestLog({ subject, initialStatus = '' }: { subject: RequestSubject; initialStatus?: string }) {
  const log = useRequestLog(subject, initialStatus);
  return (
    <chakra.div containerType="inline-size">
      <Toolbar log={log} />
      <QueryState {...log.state}>
        {log.rows.length === 0 ? <Empty log={log} /> : <Rows subject={subject} log={log} />}
      </QueryState>
    </chakra.div>
  );
}
