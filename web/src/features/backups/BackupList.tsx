import { NetworkStatus } from '@apollo/client';
import { Button, Spinner } from '@chakra-ui/react';
import { DatabaseBackup } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { BackupState } from '../../generated/graph';
import { notify, notifyError } from '../../lib/notification';
import { useQueryState } from '../../lib/useQueryState';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { QueryState } from '../../ui/feedback/QueryState';
import { useSubmit } from '../../ui/form/useSubmit';
import { SectionHeading } from '../../ui/layout/Page';
import { Chip, type ChipColor } from '../../ui/list/Chip';
import { CopyableText } from '../../ui/list/CopyableText';
import { ListFooter } from '../../ui/list/ListFooter';
import { DateTime, dateTime, RelativeTime } from '../../ui/list/RelativeTime';
import { backupsMessages } from './backups.messages';
import styles from './backups.module.css';
import {
  BackupPlanDocument,
  type BackupRowFragment,
  BackupsDocument,
  useBackupsQuery,
  useStartBackupMutation,
  useVerifyBackupMutation,
} from './generated/backups';

const { list: messages, failure } = backupsMessages;
const PAGE_SIZE = 15;
/** Largest page of the graph. */
const MAX_SIZE = 100;
const RUNNING_INTERVAL_MS = 2000;
const IDLE_INTERVAL_MS = 30_000;
const COLORS: Record<BackupState, ChipColor> = { running: 'blue', verified: 'green', failed: 'red', damaged: 'red' };

const count = new Intl.NumberFormat('pt-BR');
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)));
  const options = { style: 'unit', unit: UNITS[power], maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat('pt-BR', options).format(bytes / 1000 ** power);
}

/** The backups, newest first, and the button that makes one now. */
export function BackupList() {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const query = useBackupsQuery({
    variables: { limit },
    fetchPolicy: 'network-only',
    skipPollAttempt: () => document.visibilityState !== 'visible',
  });
  const { data, state } = useQueryState(query, { fallback: failure.list });
  const { backups, total } = data?.backups ?? { backups: [], total: 0 };
  const isRunning = backups.some((backup) => backup.state === 'running');
  const { startPolling, stopPolling } = query;
  useEffect(() => {
    startPolling(isRunning ? RUNNING_INTERVAL_MS : IDLE_INTERVAL_MS);
    return stopPolling;
  }, [isRunning, startPolling, stopPolling]);
  const [start] = useStartBackupMutation({ refetchQueries: [BackupsDocument, BackupPlanDocument] });
  const starting = useSubmit({
    fallback: failure.start,
    onFailure: notifyError,
    send: async () => {
      await start();
      notify(messages.started);
    },
  });
  const isBusy = starting.pending || isRunning;
  const startButton = (
    <Button onClick={starting.submit} disabled={isRunning} aria-busy={isBusy || undefined}>
      {isBusy ? <Spinner aria-hidden /> : <DatabaseBackup aria-hidden />}
      {messages.start}
    </Button>
  );
  return (
    <>
      <SectionHeading title={messages.title} action={backups.length > 0 && startButton} />
      <QueryState {...state} loading={state.loading && query.networkStatus !== NetworkStatus.poll}>
        {backups.length === 0 ? (
          <EmptyState text={messages.empty} action={startButton} />
        ) : (
          <>
            <ul className={styles.backups}>
              {backups.map((backup) => (
                <BackupItem key={backup._id} backup={backup} isLocked={isRunning} />
              ))}
            </ul>
            <ListFooter>
              <p role="status">{messages.shown(backups.length, total)}</p>
              {backups.length < Math.min(total, MAX_SIZE) && (
                <Button
                  variant="outline"
                  size="sm"
                  onClick={() => setLimit((size) => Math.min(MAX_SIZE, size + PAGE_SIZE))}
                >
                  {messages.showMore}
                </Button>
              )}
            </ListFooter>
          </>
        )}
      </QueryState>
    </>
  );
}

/** One backup; while any of them runs, no other work can start. */
function BackupItem({ backup, isLocked }: { backup: BackupRowFragment; isLocked: boolean }) {
  const { _id, state, trigger, reason, startedAt, verifiedAt, location, bytes, rows, stored } = backup;
  const [verify] = useVerifyBackupMutation({ refetchQueries: [BackupsDocument] });
  const verifying = useSubmit({
    fallback: failure.verify,
    onFailure: notifyError,
    send: async () => {
      await verify({ variables: { id: _id } });
      notify(messages.verifying);
    },
  });
  return (
    <li className={styles.backup} data-state={state}>
      <div>
        <h3>
          <DateTime at={startedAt} />
          <Chip color={COLORS[state]}>{messages.states[state]}</Chip>
        </h3>
        {reason && state !== 'running' && <p className={styles.reason}>{reason}</p>}
        <p className={styles.note}>
          {messages.triggers[trigger]}
          {bytes > 0 && `. ${messages.size(sizeText(bytes), count.format(rows))}`}
          {verifiedAt && (
            <>
              . {messages.verifiedAt} <RelativeTime at={verifiedAt} />
            </>
          )}
          .
        </p>
        {stored && (
          <CopyableText text={location} label={messages.copyLocation}>
            <code>{location}</code>
          </CopyableText>
        )}
        {!stored && bytes > 0 && <p className={styles.note}>{messages.removed}</p>}
      </div>
      {stored && state !== 'running' && (
        <Button
          variant="outline"
          size="sm"
          onClick={verifying.submit}
          disabled={isLocked}
          aria-busy={verifying.pending || undefined}
          aria-label={messages.verifyOf(dateTime(startedAt))}
        >
          {messages.verify}
        </Button>
      )}
    </li>
  );
}
