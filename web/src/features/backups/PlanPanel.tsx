import { Button, chakra, Grid } from '@chakra-ui/react';
import { Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDialogParam } from '../../lib/useDialogParam';
import { Panel } from '../../ui/layout/Page';
import { DateTime } from '../../ui/list/RelativeTime';
import { backupsMessages } from './backups.messages';
import type { BackupPlanFieldsFragment } from './generated/backups';
import { Note } from './Note';
import { PlanDialog } from './PlanDialog';
import { scheduleText } from './schedule';

const { plan: messages, schedule } = backupsMessages;
const DIALOGS = ['plano'] as const;

const locationOf = ({ s3, folder, defaultFolder }: BackupPlanFieldsFragment): string =>
  s3 ? `s3://${s3.bucket} (${s3.endpoint})` : (folder ?? defaultFolder);

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <Grid templateColumns={{ md: '90px minmax(0, 1fr)' }} gap="0 16px">
    <chakra.dt color="fg.muted" fontSize="13px">
      {name}
    </chakra.dt>
    <chakra.dd overflowWrap="anywhere">{children}</chakra.dd>
  </Grid>
);

/** The plan in words, and the dialog that edits it. */
export function PlanPanel({ plan }: { plan: BackupPlanFieldsFragment }) {
  const dialog = useDialogParam(DIALOGS);
  return (
    <Panel title={messages.title} text={messages.text}>
      <Grid as="dl" gap="2.5" mt="4">
        <Fact name={messages.schedule}>{scheduleText(plan.schedule)}</Fact>
        <Fact name={messages.next}>{plan.nextRunAt ? <DateTime at={plan.nextRunAt} /> : schedule.none}</Fact>
        <Fact name={messages.destination}>
          <code>{locationOf(plan)}</code>
        </Fact>
        <Fact name={messages.encryption}>{plan.encrypted ? messages.encrypted : messages.plain}</Fact>
        <Fact name={messages.keeps}>{messages.keepText(plan.keepDaily, plan.keepWeekly, plan.keepMonthly)}</Fact>
      </Grid>
      <Note>{messages.leavesOut}</Note>
      <Button variant="outline" mt="4" onClick={() => dialog.open('plano')}>
        <Pencil aria-hidden />
        {messages.edit}
      </Button>
      {dialog.name === 'plano' && <PlanDialog plan={plan} onClose={dialog.close} />}
    </Panel>
  );
}
