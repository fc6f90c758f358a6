import { useProjectNamesQuery } from '../../../lib/graphql/generated/shared';
import { CheckField, CheckList } from '../../../ui/form/fields/checkFields';
import { toRowOptions } from '../../../ui/form/fields/rowOptions';
import { SelectField } from '../../../ui/form/fields/SelectField';
import type { FormFields } from '../../../ui/form/formFields';
import { accountsMessages } from '../accounts.messages';
import { type RightsValues, ROLES } from './rights';

const { rights: messages } = accountsMessages;
const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: messages.roles[value] }));

/** Fields for the role of an account, and for the projects that limit the account. */
export function RightsFields({ form }: { form: FormFields<RightsValues> }) {
  const { data } = useProjectNamesQuery();
  const hint = messages.hints[form.watch('role')];
  const isLimited = form.watch('isLimited');
  return (
    <>
      <SelectField {...form.choice('role', messages)} options={ROLE_OPTIONS} hint={hint} required />
      <CheckField {...form.check('isLimited', messages)} />
      {isLimited && <CheckList {...form.choice('projects', messages)} options={toRowOptions(data?.projects)} />}
    </>
  );
}
