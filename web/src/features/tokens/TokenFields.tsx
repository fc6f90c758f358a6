import type { ReactNode } from 'react';
import { useAccess } from '../../lib/access';
import { CheckField, CheckGroup, toggleItem } from '../../ui/form/checkFields';
import type { FormFields } from '../../ui/form/formFields';
import { MoreOptions } from '../../ui/form/MoreOptions';
import { SelectField } from '../../ui/form/SelectField';
import { CODE_INPUT, TextareaField, TextField } from '../../ui/form/textFields';
import { useTokenProjectsQuery } from './generated/tokens';
import { ScopeFields } from './ScopeFields';
import { SiteFields } from './SiteFields';
import type { TokenValues } from './tokenForm';
import { tokensMessages } from './tokens.messages';

const { form: messages } = tokensMessages;

interface TokenFieldsProps {
  form: FormFields<TokenValues>;
  lifeOptions: readonly { value: string; label: string }[];
  /** Stands below the name: the choice of the purpose, for a new token. */
  children?: ReactNode;
}

/** The fields of a token. */
export function TokenFields({ form, lifeOptions, children }: TokenFieldsProps) {
  const { data } = useTokenProjectsQuery();
  const { isLimited: isAccountLimited } = useAccess();
  const { purpose, isLimited, projects, days, allowedIps } = form.values;
  return (
    <>
      <TextField label={messages.name} {...form.text('name')} maxLength={100} autoComplete="off" required />
      {children}
      {purpose === 'api' ? (
        <ScopeFields
          levels={form.values.levels}
          error={form.errors.levels ?? form.errors.scopes}
          onChange={(levels) => form.change({ levels })}
        />
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
        value={days}
        options={lifeOptions}
        error={form.errors.expiresAt}
        onChange={(value) => form.change({ days: value })}
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
        {!isAccountLimited && (
          <CheckField
            label={messages.limited}
            checked={isLimited}
            onChange={(checked) => form.change({ isLimited: checked })}
          />
        )}
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
      </MoreOptions>
    </>
  );
}
