import { useDeferredValue, useState } from 'react';
import { useTenantNamesQuery } from '../../lib/graphql/generated/shared';
import { ALL_OR_FIRST_PAGE, MAX_UNPAGED_ROWS } from '../../lib/graphql/query/usePages';
import { CheckList } from '../../ui/form/fields/checkFields';
import { toRowOptions } from '../../ui/form/fields/rowOptions';
import { TextField } from '../../ui/form/fields/textFields';
import { alertsMessages } from './alerts.messages';

const messages = alertsMessages.maintenance.dialog;

interface TenantChecksProps {
  value: string[];
  onChange: (chosen: string[]) => void;
}

/** The tenants of a maintenance window. A long list has a search field. Chosen tenants stay visible. */
export function TenantChecks({ value: chosen, onChange }: TenantChecksProps) {
  const [text, setText] = useState('');
  const [keptTenants, setKeptTenants] = useState<readonly { value: string; label: string }[]>([]);
  const search = useDeferredValue(text.trim());
  const { data } = useTenantNamesQuery({ variables: ALL_OR_FIRST_PAGE, fetchPolicy: 'no-cache' });
  const isLong = data !== undefined && data.tenantPage.total > MAX_UNPAGED_ROWS;
  const searchResult = useTenantNamesQuery({
    variables: { search, limit: ALL_OR_FIRST_PAGE.limit },
    skip: !isLong || search === '',
    fetchPolicy: 'no-cache',
  });
  const rows = (isLong ? (searchResult.data ?? searchResult.previousData) : data)?.tenantPage.tenants ?? [];
  const shownTenants = toRowOptions(rows);
  const ids = new Set(rows.map(({ _id }) => _id));
  const tenants = [...keptTenants.filter(({ value }) => chosen.includes(value) && !ids.has(value)), ...shownTenants];
  if (!isLong && tenants.length === 0) return null;
  return (
    <>
      {isLong && (
        <TextField label={messages.tenantSearch} value={text} onChange={({ target }) => setText(target.value)} />
      )}
      {tenants.length > 0 && (
        <CheckList
          label={messages.tenants}
          options={tenants}
          value={chosen}
          onChange={(next) => {
            setKeptTenants(tenants.filter(({ value }) => next.includes(value)));
            onChange(next);
          }}
        />
      )}
    </>
  );
}
