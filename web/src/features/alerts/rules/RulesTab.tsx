import { useDialogParam } from '../../../lib/routing/useDialogParam';
import { AdministratorsOnlyContext } from '../../../lib/session/access';
import { useListQuery } from '../../../shared/list/useListQuery';
import { Chip } from '../../../ui/cells/Chip';
import type { Column } from '../../../ui/list/column';
import { ListSection } from '../../../ui/list/ListQueryView';
import { EditAction } from '../../../ui/list/rows/RowAction';
import { alertsMessages } from '../alerts.messages';
import { type AlertRulesQuery, type RuleRowFragment, useAlertRulesQuery } from '../generated/alerts';
import { RuleDialog } from './RuleDialog';

const { rules: messages, kinds, severities, subjects, channels } = alertsMessages;
const DIALOGS = ['editar'] as const;
const selectRows = ({ alertRules }: AlertRulesQuery) =>
  alertRules.toSorted((a, b) => kinds[a.kind].localeCompare(kinds[b.kind], 'pt-BR'));
const toSearchText = ({ kind }: RuleRowFragment) => kinds[kind];
const formatThresholds = ({ thresholds }: RuleRowFragment) =>
  thresholds.map(({ name, value }) => `${messages.thresholds[name] ?? name}: ${value}`).join(', ') || '–';

const columns: Column<RuleRowFragment>[] = [
  { id: 'kind', header: messages.columns.kind, isHeading: true, sort: ({ kind }) => kinds[kind] },
  {
    id: 'subject',
    header: messages.columns.subject,
    width: '140px',
    cell: ({ subject }) => (subject ? subjects[subject.type] : messages.all),
  },
  { id: 'severity', header: messages.columns.severity, width: '130px', cell: ({ severity }) => severities[severity] },
  { id: 'thresholds', isWide: true, header: messages.columns.thresholds, cell: formatThresholds },
  {
    id: 'state',
    header: messages.columns.state,
    width: '120px',
    cell: ({ enabled }) => <Chip color={enabled ? 'green' : 'neutral'}>{enabled ? channels.on : channels.off}</Chip>,
  },
];

/** The alert rules, each with the thresholds, the severity and the channels of one kind of alert. */
export function RulesTab() {
  const dialog = useDialogParam(DIALOGS);
  const result = useAlertRulesQuery();
  const rules = useListQuery(result, { selectRows, columns, toSearchText, failureMessage: messages.failure.load });
  const selected = rules.loadedRows.find(({ _id }) => _id === dialog.id);
  return (
    <AdministratorsOnlyContext value>
      <ListSection
        query={rules}
        texts={messages}
        actionsWidth="120px"
        actionCount={1}
        actions={({ _id }) => <EditAction onClick={() => dialog.open('editar', _id)} />}
      />
      {dialog.name === 'editar' && selected && (
        <RuleDialog
          key={selected._id}
          rule={selected}
          channels={result.data?.alertChannels ?? []}
          onClose={dialog.close}
        />
      )}
    </AdministratorsOnlyContext>
  );
}
