import { useDeferredValue, useState } from 'react';
import { useTenantNamesQuery } from '../../lib/graphql/generated/shared';
import { ALL_OR_FIRST_PAGE, MAX_UNPAGED_ROWS } from '../../lib/graphql/query/longLists';
import { CheckList } from '../../ui/form/fields/checkFields';
import { toRowOptions } from '../../ui/form/fields/rowOptions';
import { TextField } from '../../ui/form/fields/textFields';
import { alertsMessages } from './alerts.messages';

const messages = alertsMessages.maintenance.dialog;

interface TenantPickerProps {
  value: string[];
  onChange: (chosenIds: string[]) => void;
}

/** Checkboxes for the tenants of a maintenance window. A long list has a search; a tenant chosen here stays listed. */
export function TenantPicker({ value: chosenIds, onChange }: TenantPickerProps) {
  const [text, setText] = useState('');
  const [chosenTenants, setChosenTenants] = useState<readonly { value: string; label: string }[]>([]);
  const search = useDeferredValue(text.trim());
  // A long list of tenants is not cached (decision 120).
  const { data } = useTenantNamesQuery({ variables: ALL_OR_FIRST_PAGE, fetchPolicy: 'no-cache' });
  const isPaged = data !== undefined && data.tenantPage.total > MAX_UNPAGED_ROWS;
  const searchResult = useTenantNamesQuery({
    variables: { search, limit: ALL_OR_FIRST_PAGE.limit },
    skip: !isPaged || search === '',
    fetchPolicy: 'no-cache',
  });
  const rows = (isPaged ? (searchResult.data ?? searchResult.previousData) : data)?.tenantPage.tenants ?? [];

  const listedIds = new Set(rows.map(({ _id }) => _id));
  const tenants = [
    ...chosenTenants.filter(({ value }) => chosenIds.includes(value) && !listedIds.has(value)),
    ...toRowOptions(rows),
  ];
  if (!isPaged && tenants.length === 0) return null;
  return (
    <>
      {isPaged && (
        <TextField label={messages.tenantSearch} value={text} onChange={({ target }) => setText(target.value)} />
      )}
      {tenants.length > 0 && (
        <CheckList
          label={messages.tenants}
          options={tenants}
          value={chosenIds}
          onChange={(next) => {
            setChosenTenants(tenants.filter(({ value }) => next.includes(value)));
            onChange(next);
          }}
        />
      )}
    </>
  );
}
