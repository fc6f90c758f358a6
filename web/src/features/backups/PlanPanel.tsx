import { Button } from '@chakra-ui/react';
import { Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDialogParam } from '../../lib/useDialogParam';
import { Panel } from '../../ui/layout/Page';
import { DateTime } from '../../ui/list/RelativeTime';
import { backupsMessages } from './backups.messages';
import styles from './backups.module.css';
import type { BackupPlanFieldsFragment } from './generated/backups';
import { PlanDialog } from './PlanDialog';
import { scheduleText } from './schedule';

const { plan: messages, schedule } = backupsMessages;
const DIALOGS = ['plano'] as const;

const locationOf = ({ s3, folder, defaultFolder }: BackupPlanFieldsFragment): string =>
  s3 ? `s3://${s3.bucket} (${s3.endpoint})` : (folder ?? defaultFolder);

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** The plan in words, and the dialog that edits it. */
export function PlanPanel({ plan }: { plan: BackupPlanFieldsFragment }) {
  const dialog = useDialogParam(DIALOGS);
  return (
    <Panel title={messages.title} text={messages.text}>
      <dl className={styles.facts}>
        <Fact name={messages.schedule}>{scheduleText(plan.schedule)}</Fact>
        <Fact name={messages.next}>{plan.nextRunAt ? <DateTime at={plan.nextRunAt} /> : schedule.none}</Fact>
        <Fact name={messages.destination}>
          <code>{locationOf(plan)}</code>
        </Fact>
        <Fact name={messages.encryption}>{plan.encrypted ? messages.encrypted : messages.plain}</Fact>
        <Fact name={messages.keeps}>{messages.keepText(plan.keepDaily, plan.keepWeekly, plan.keepMonthly)}</Fact>
      </dl>
      <p className={styles.note}>{messages.leavesOut}</p>
      <div className={styles.buttons}>
        <Button variant="outline" onClick={() => dialog.open('plano')}>
          <Pencil aria-hidden />
          {messages.edit}
        </Button>
      </div>
      {dialog.name === 'plano' && <PlanDialog plan={plan} onClose={dialog.close} />}
    </Panel>
  );
}
