import { chakra, Flex, Grid } from '@chakra-ui/react';
import { DatabaseBackup } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { BackupState } from '../../generated/graph';
import { formatBytes } from '../../lib/format/bytes';
import { useQueryState } from '../../lib/graphql/query/useQueryState';
import { Chip, type ChipColor } from '../../ui/cells/Chip';
import { CopyableText } from '../../ui/cells/CopyableText';
import { DateTime, formatDateTime, RelativeTime } from '../../ui/cells/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { QueryState } from '../../ui/feedback/QueryState';
import { SubmitButton } from '../../ui/form/Form';
import { useAction } from '../../ui/form/useAction';
import { SectionHeading } from '../../ui/layout/Page';
import { ListFooter } from '../../ui/list/ListFooter';
import { listMessages } from '../../ui/list/list.messages';
import { backupsMessages } from './backups.messages';
import {
  BackupPlanDocument,
  type BackupRowFragment,
  BackupsDocument,
  useBackupsQuery,
  useStartBackupMutation,
  useVerifyBackupMutation,
} from './generated/backups';
import { Note } from './Note';

const { list: messages, failure } = backupsMessages;
const PAGE_SIZE = 15;
const MAX_PAGE_SIZE = 100;
const RUNNING_INTERVAL_MS = 2000;
const IDLE_INTERVAL_MS = 30_000;
const COLORS: Record<BackupState, ChipColor> = { running: 'blue', verified: 'green', failed: 'red', damaged: 'red' };

const numberFormat = new Intl.NumberFormat('pt-BR');

/** The backups, newest first, and the button that makes a backup now. */
export function BackupList() {
  // `limit` grows, without `fetchMore`, because each poll must read the state of all shown backups.
  const [limit, setLimit] = useState(PAGE_SIZE);
  const query = useBackupsQuery({ variables: { limit } });
  const { data, state } = useQueryState(query, { failureMessage: failure.list });
  const { backups, total } = data?.backups ?? { backups: [], total: 0 };
  const isRunning = backups.some((backup) => backup.state === 'running');
  const { startPolling, stopPolling } = query;
  useEffect(() => {
    startPolling(isRunning ? RUNNING_INTERVAL_MS : IDLE_INTERVAL_MS);
    return stopPolling;
  }, [isRunning, startPolling, stopPolling]);
  const [start] = useStartBackupMutation({ refetchQueries: [BackupsDocument, BackupPlanDocument] });
  const starting = useAction({ failureMessage: failure.start, send: () => start(), success: messages.started });
  return (
    <>
      <SectionHeading
        title={messages.title}
        action={
          <SubmitButton
            isPending={starting.isPending || isRunning}
            icon={<DatabaseBackup aria-hidden />}
            disabled={isRunning}
            onClick={starting.run}
          >
            {messages.start}
          </SubmitButton>
        }
      />
      <QueryState {...state}>
        {backups.length === 0 ? (
          <EmptyState text={messages.empty} />
        ) : (
          <>
            <chakra.ul layerStyle="rows">
              {backups.map((backup) => (
                <BackupItem key={backup._id} backup={backup} isLocked={isRunning} />
              ))}
            </chakra.ul>
            <ListFooter
              onMore={
                backups.length < Math.min(total, MAX_PAGE_SIZE)
                  ? () => setLimit((current) => Math.min(MAX_PAGE_SIZE, current + PAGE_SIZE))
                  : undefined
              }
            >
              <p role="status">{listMessages.count(backups.length, total, messages.nouns)}</p>
            </ListFooter>
          </>
        )}
      </QueryState>
    </>
  );
}

/** One backup. It cannot be verified while any backup runs (`isLocked`). */
function BackupItem({ backup, isLocked }: { backup: BackupRowFragment; isLocked: boolean }) {
  const { _id, state, trigger, reason, startedAt, verifiedAt, location, bytes, rows, stored } = backup;
  const [verify] = useVerifyBackupMutation({ refetchQueries: [BackupsDocument] });
  const verifying = useAction({
    failureMessage: failure.verify,
    send: () => verify({ variables: { id: _id } }),
    success: messages.verifying,
  });
  return (
    <Grid
      as="li"
      templateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) auto' }}
      alignItems="start"
      justifyItems="start"
      gap="3"
      p="4"
    >
      <div>
        <Flex as="h3" wrap="wrap" align="center" rowGap="1" columnGap="2">
          <DateTime at={startedAt} />
          <Chip color={COLORS[state]}>{messages.states[state]}</Chip>
        </Flex>
        {reason && state !== 'running' && (
          <chakra.p maxW="72ch" mt="1" color="red.fg" overflowWrap="anywhere">
            {reason}
          </chakra.p>
        )}
        <Note>
          {messages.triggers[trigger]}
          {bytes > 0 &&
            `. ${messages.size(formatBytes(bytes, { maximumFractionDigits: 1 }), numberFormat.format(rows))}`}
          {verifiedAt && (
            <>
              . {messages.verifiedAt} <RelativeTime at={verifiedAt} />
            </>
          )}
          .
        </Note>
        {stored && (
          <CopyableText text={location} label={messages.copyLocation}>
            <chakra.code overflowWrap="anywhere">{location}</chakra.code>
          </CopyableText>
        )}
        {!stored && bytes > 0 && <Note>{messages.removed}</Note>}
      </div>
      {stored && state !== 'running' && (
        <SubmitButton
          variant="outline"
          size="sm"
          layerStyle="touchTarget"
          action={verifying}
          disabled={isLocked}
          aria-label={messages.verifyOf(formatDateTime(startedAt))}
        >
          {messages.verify}
        </SubmitButton>
      )}
    </Grid>
  );
}
