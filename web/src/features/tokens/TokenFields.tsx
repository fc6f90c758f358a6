import type { ReactNode } from 'react';
import { useProjectNamesQuery } from '../../lib/graphql/generated/shared';
import { useAccess } from '../../lib/session/access';
import { CheckField, CheckList } from '../../ui/form/fields/checkFields';
import { toRowOptions } from '../../ui/form/fields/rowOptions';
import { SelectField } from '../../ui/form/fields/SelectField';
import { CODE_INPUT, TextareaField, TextField } from '../../ui/form/fields/textFields';
import type { FormFields } from '../../ui/form/formFields';
import { MoreOptions } from '../../ui/form/MoreOptions';
import { ScopeFields } from './ScopeFields';
import { SiteFields } from './SiteFields';
import type { TokenValues } from './tokenForm';
import { tokensMessages } from './tokens.messages';

const { form: messages } = tokensMessages;

interface TokenFieldsProps {
  form: FormFields<TokenValues>;
  lifetimeOptions: readonly { value: string; label: string }[];
  /** The choice of the purpose of a new token, shown below the name. */
  children?: ReactNode;
}

export function TokenFields({ form, lifetimeOptions, children }: TokenFieldsProps) {
  const { data } = useProjectNamesQuery();
  const { isLimited: isAccountLimited } = useAccess();
  const isLimited = form.watch('isLimited');
  return (
    <>
      <TextField {...form.text('name', messages)} autoComplete="off" required />
      {children}
      {form.watch('purpose') === 'api' ? (
        <ScopeFields {...form.control('levels')} error={form.errors.levels ?? form.errors.scopes} />
      ) : (
        <SiteFields
          type={form.watch('siteType')}
          site={form.watch('site')}
          error={form.errors.site}
          onChange={(changes) => form.change(changes)}
        />
      )}
      <SelectField
        {...form.choice('days', messages)}
        options={lifetimeOptions}
        error={form.errors.expiresAt}
        required
      />
      <MoreOptions
        isUsed={form.watch('allowedIps') !== '' || isLimited}
        isInvalid={Boolean(form.errors.allowedIps || form.errors.projects)}
      >
        <TextareaField {...form.text('allowedIps', messages)} {...CODE_INPUT} rows={3} optional />
        {!isAccountLimited && <CheckField {...form.check('isLimited', messages)} />}
        {isLimited && <CheckList {...form.choice('projects', messages)} options={toRowOptions(data?.projects)} />}
      </MoreOptions>
    </>
  );
}
