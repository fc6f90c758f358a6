import { array, boolean, check, object, picklist, pipe, record, string } from 'valibot';
import type { Severity } from '../../../generated/graph';
import { FormDialog } from '../../../ui/dialog/FormDialog';
import { CheckField, CheckList } from '../../../ui/form/fields/checkFields';
import { RadioField } from '../../../ui/form/fields/RadioField';
import { toRowOptions } from '../../../ui/form/fields/rowOptions';
import { getNumberProps, TextField } from '../../../ui/form/fields/textFields';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import { uiMessages } from '../../../ui/ui.messages';
import { alertsMessages } from '../alerts.messages';
import { type AlertRulesQuery, type RuleRowFragment, useUpdateAlertRuleMutation } from '../generated/alerts';

const { rules, kinds, severities } = alertsMessages;
const messages = rules.dialog;
const SEVERITIES = ['info', 'warning', 'critical'] as const satisfies Severity[];
const schema = object({
  enabled: boolean(),
  severity: picklist(SEVERITIES),
  thresholds: pipe(
    record(string(), string()),
    check((thresholds) => !Object.values(thresholds).includes(''), uiMessages.required),
  ),
  channels: array(string()),
});

interface RuleDialogProps {
  rule: RuleRowFragment;
  channels: AlertRulesQuery['alertChannels'];
  onClose: () => void;
}

export function RuleDialog({ rule, channels, onClose }: RuleDialogProps) {
  const [update] = useUpdateAlertRuleMutation();
  const form = useAppForm({
    draft: `alert-rules:${rule._id}`,
    initial: {
      enabled: rule.enabled,
      severity: rule.severity,
      thresholds: Object.fromEntries(rule.thresholds.map(({ name, value }) => [name, String(value)])),
      channels: rule.channels ?? [],
    },
    schema,
    failureMessage: rules.failure.save,
    send: ({ thresholds, channels: channelIds, ...values }) =>
      update({
        variables: {
          id: rule._id,
          version: rule.version,
          input: {
            ...values,
            thresholds: Object.entries(thresholds).map(([name, value]) => ({ name, value: Number(value) })),
            channels: channelIds.length > 0 ? channelIds : null,
          },
        },
      }),
    onSaved: onClose,
    success: rules.success.saved,
  });
  const { watch, change, errors } = form;
  return (
    <FormDialog title={messages.title(kinds[rule.kind])} form={form} onClose={onClose}>
      <CheckField {...form.check('enabled', messages)} />
      <RadioField
        {...form.choice('severity', messages)}
        options={SEVERITIES.map((value) => ({ value, label: severities[value] }))}
      />
      {Object.entries(watch('thresholds')).map(([name, value]) => (
        <TextField
          key={name}
          label={rules.thresholds[name] ?? name}
          {...getNumberProps(0, 1_000_000)}
          value={value}
          error={value && errors.thresholds === uiMessages.required ? undefined : errors.thresholds}
          required
          onChange={({ target }) => change((old) => ({ thresholds: { ...old.thresholds, [name]: target.value } }))}
        />
      ))}
      {channels.length > 0 && <CheckList {...form.choice('channels', messages)} options={toRowOptions(channels)} />}
    </FormDialog>
  );
}
