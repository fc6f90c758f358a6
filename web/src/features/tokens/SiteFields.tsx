import { useDeferredValue, useState } from 'react';
import { useProjectNamesQuery, useTenantNamesQuery } from '../../lib/graphql/generated/shared';
import { ALL_OR_FIRST_PAGE, MAX_UNPAGED_ROWS } from '../../lib/graphql/query/longLists';
import { toRowOptions } from '../../ui/form/fields/rowOptions';
import { SelectField } from '../../ui/form/fields/SelectField';
import { SubdomainField } from '../../ui/form/fields/SubdomainField';
import { TextField } from '../../ui/form/fields/textFields';
import { SITE_TYPES } from './tokenForm';
import { tokensMessages } from './tokens.messages';

const { form: messages } = tokensMessages;
type SiteType = (typeof SITE_TYPES)[number];

interface SiteFieldsProps {
  type: SiteType;
  /** The label of a subdomain, or the id of a project or tenant. */
  site: string;
  error?: string;
  onChange: (changes: { siteType?: SiteType; site?: string }) => void;
}

/** The site that a token publishes. */
export function SiteFields({ type, site, error, onChange }: SiteFieldsProps) {
  const { data: projects } = useProjectNamesQuery({ skip: type !== 'project' });
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  // Only the first tenants of a long list are shown. The user searches for other tenants.
  const tenants = useTenantNamesQuery({
    variables: { search, ...ALL_OR_FIRST_PAGE },
    skip: type !== 'tenant',
    // A long list of tenants is not cached (decision 120).
    fetchPolicy: 'no-cache',
  });
  const { tenantPage } = tenants.data ?? tenants.previousData ?? {};
  const isSearchShown = text !== '' || (tenantPage !== undefined && tenantPage.total > MAX_UNPAGED_ROWS);
  const rows = type === 'project' ? projects?.projects : tenantPage?.tenants;
  return (
    <>
      <SelectField
        label={messages.siteType}
        value={type}
        options={SITE_TYPES.map((value) => ({ value, label: messages.siteTypes[value] }))}
        onChange={(siteType) => onChange({ siteType, site: '' })}
        required
      />
      {type === 'tenant' && isSearchShown && (
        <TextField
          label={messages.tenantSearch}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            onChange({ site: '' });
          }}
        />
      )}
      {type === 'subdomain' ? (
        <SubdomainField
          label={messages.site}
          value={site}
          error={error}
          onChange={({ target }) => onChange({ site: target.value })}
          onLabel={(label) => onChange({ site: label })}
        />
      ) : (
        <SelectField
          label={messages.site}
          value={site}
          error={error}
          placeholder=""
          options={toRowOptions(rows)}
          onChange={(value) => onChange({ site: value })}
          required
        />
      )}
    </>
  );
}
