import type { ReactNode } from 'react';
import { useProjectNamesQuery } from '../../lib/graphql/generated/shared';
import { useAccess } from '../../lib/session/access';
import { CheckField, CheckList } from '../../ui/form/checkFields';
import type { FormFields } from '../../ui/form/formFields';
import { MoreOptions } from '../../ui/form/MoreOptions';
import { SelectField } from '../../ui/form/SelectField';
import { CODE_INPUT, TextareaField, TextField } from '../../ui/form/textFields';
import { ScopeFields } from './ScopeFields';
import { SiteFields } from './SiteFields';
import type { TokenValues } from './tokenForm';
import { tokensMessages } from './tokens.messages';

const { form: messages } = tokensMessages;

interface TokenFieldsProps {
  form: FormFields<TokenValues>;
  lifeOptions: readonly { value: string; label: string }[];
  /** The choice of the purpose of a new token, shown below the name. */
  children?: ReactNode;
}

/** The fields of a token. */
export function TokenFields({ form, lifeOptions, children }: TokenFieldsProps) {
  const { data } = useProjectNamesQuery();
  const { isLimited: isAccountLimited } = useAccess();
  const { purpose, isLimited, allowedIps } = form.values;
  return (
    <>
      <TextField label={messages.name} {...form.text('name')} maxLength={100} autoComplete="off" required />
      {children}
      {purpose === 'api' ? (
        <ScopeFields {...form.choice('levels')} error={form.errors.levels ?? form.errors.scopes} />
      ) : (
        <SiteFields
          type={form.values.siteType}
          site={form.values.site}
          error={form.errors.site}
          onChange={(changes) => form.change(changes)}
        />
      )}
      <SelectField
        label={messages.life}
        options={lifeOptions}
        {...form.choice('days')}
        error={form.errors.expiresAt}
        required
      />
      <MoreOptions
        isUsed={allowedIps !== '' || isLimited}
        isInvalid={Boolean(form.errors.allowedIps || form.errors.projects)}
      >
        <TextareaField
          label={messages.allowedIps}
          {...form.text('allowedIps')}
          {...CODE_INPUT}
          hint={messages.allowedIpsHint}
          rows={3}
          optional
        />
        {!isAccountLimited && <CheckField label={messages.limited} {...form.check('isLimited')} />}
        {isLimited && (
          <CheckList
            label={messages.projects}
            options={(data?.projects ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
            {...form.choice('projects')}
          />
        )}
      </MoreOptions>
    </>
  );
}
