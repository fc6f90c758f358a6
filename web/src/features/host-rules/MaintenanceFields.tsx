import type { FormFields } from '../../ui/form/formFields';
import { CODE_INPUT, TextareaField, TextField } from '../../ui/form/textFields';
import { hostRulesMessages } from './host-rules.messages';
import type { RuleValues } from './ruleForm';

const { maintenance: messages } = hostRulesMessages;

/** Text and end of the maintenance, and the addresses that still reach the site. */
export function MaintenanceFields({ form }: { form: FormFields<RuleValues> }) {
  return (
    <>
      <TextareaField
        label={messages.message}
        {...form.text('text')}
        placeholder={messages.messagePlaceholder}
        maxLength={1000}
        rows={2}
        required
      />
      <TextField
        label={messages.until}
        {...form.text('until')}
        type="datetime-local"
        hint={messages.untilHint}
        optional
      />
      <TextareaField
        label={messages.bypass}
        {...form.text('bypassIps')}
        {...CODE_INPUT}
        hint={messages.bypassHint}
        rows={2}
        optional
      />
    </>
  );
}
