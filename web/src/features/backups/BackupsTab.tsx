import { chakra } from '@chakra-ui/react';
import { useQueryState } from '../../lib/graphql/query/useQueryState';
import { QueryState } from '../../ui/feedback/QueryState';
import { BackupList } from './BackupList';
import { backupsMessages } from './backups.messages';
import { useBackupPlanQuery } from './generated/backups';
import { PlanPanel } from './PlanPanel';
import { RestorePanel } from './RestorePanel';

/** The backups of the installation: the plan, the list, and the command that restores a backup. */
export default function BackupsTab() {
  const { data, state } = useQueryState(useBackupPlanQuery(), { failureMessage: backupsMessages.failure.plan });
  return (
    <>
      <QueryState {...state}>{data && <PlanPanel plan={data.backupPlan} />}</QueryState>
      <BackupList />
      <chakra.div mt="8">
        <RestorePanel isEncrypted={data?.backupPlan.encrypted ?? false} />
      </chakra.div>
    </>
  );
}
