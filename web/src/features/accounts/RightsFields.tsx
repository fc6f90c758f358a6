import { CheckField, CheckGroup, toggleItem } from '../../ui/form/checkFields';
import type { FormFields } from '../../ui/form/formFields';
import { SelectField } from '../../ui/form/SelectField';
import { accountsMessages } from './accounts.messages';
import { useProjectNamesQuery } from './generated/accounts';
import { type RightsValues, ROLES } from './rights';

const { rights: messages } = accountsMessages;
const ROLE_OPTIONS = Object.entries(messages.roles).map(([value, label]) => ({ value, label }));

/** Role of an account, and the projects that it is limited to. */
export function RightsFields({ form }: { form: FormFields<RightsValues> }) {
  const { data } = useProjectNamesQuery();
  const { role, isLimited, projects } = form.values;
  return (
    <>
      <SelectField
        label={messages.role}
        value={role}
        error={form.errors.role}
        onChange={(value) => form.change({ role: ROLES.find((each) => each === value) })}
        options={ROLE_OPTIONS}
        hint={messages.hints[role]}
        required
      />
      <CheckField
        label={messages.limited}
        checked={isLimited}
        onChange={(checked) => form.change({ isLimited: checked })}
      />
      {isLimited && (
        <CheckGroup label={messages.projects} error={form.errors.projects}>
          {data?.projects.map(({ _id, name }) => (
            <CheckField
              key={_id}
              label={name}
              checked={projects.includes(_id)}
              onChange={(checked) => form.change({ projects: toggleItem(projects, _id, checked) })}
            />
          ))}
        </CheckGroup>
      )}
    </>
  );
}
