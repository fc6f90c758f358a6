import { Button } from '@chakra-ui/react';
import { Pencil } from 'lucide-react';
import { useDialogParam } from '../../lib/routing/useDialogParam';
import { DateTime } from '../../ui/cells/RelativeTime';
import { Fact, Facts } from '../../ui/layout/Facts';
import { Panel } from '../../ui/layout/Page';
import { backupsMessages } from './backups.messages';
import type { BackupPlanFieldsFragment } from './generated/backups';
import { Note } from './Note';
import { PlanDialog } from './PlanDialog';
import { formatSchedule } from './schedule';

const { plan: messages, schedule } = backupsMessages;
const DIALOGS = ['plano'] as const;

const formatLocation = ({ s3, folder, defaultFolder }: BackupPlanFieldsFragment): string =>
  s3 ? `s3://${s3.bucket} (${s3.endpoint})` : (folder ?? defaultFolder);

/** The plan in words, and the dialog that edits it. */
export function PlanPanel({ plan }: { plan: BackupPlanFieldsFragment }) {
  const dialog = useDialogParam(DIALOGS);
  return (
    <Panel title={messages.title} text={messages.text}>
      <Facts>
        <Fact label={messages.schedule}>{formatSchedule(plan.schedule, plan.timeZone)}</Fact>
        <Fact label={messages.next}>
          {plan.nextRunAt ? <DateTime at={plan.nextRunAt} timeZone={plan.timeZone} /> : schedule.none}
        </Fact>
        <Fact label={messages.destination}>
          <code>{formatLocation(plan)}</code>
        </Fact>
        <Fact label={messages.encryption}>{plan.encrypted ? messages.encrypted : messages.plain}</Fact>
        <Fact label={messages.keeps}>{messages.keepText(plan.keepDaily, plan.keepWeekly, plan.keepMonthly)}</Fact>
      </Facts>
      <Note>{messages.leavesOut}</Note>
      <Button variant="outline" mt="4" onClick={() => dialog.open('plano')}>
        <Pencil aria-hidden />
        {messages.edit}
      </Button>
      {dialog.name === 'plano' && <PlanDialog plan={plan} onClose={dialog.close} />}
    </Panel>
  );
}
