import { useDeferredValue, useState } from 'react';
import { wholeList } from '../../lib/usePages';
import { CheckField, CheckGroup, toggleItem } from '../../ui/form/checkFields';
import { TextField } from '../../ui/form/textFields';
import { alertsMessages } from './alerts.messages';
import { useMaintenanceTenantsQuery } from './generated/alerts';

const messages = alertsMessages.maintenance.dialog;

interface TenantChecksProps {
  /** Ids. */
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

/** The tenants of a window. If there are too many to show, a search finds those to choose from; chosen ones stay. */
export function TenantChecks({ chosen, onChange }: TenantChecksProps) {
  const [text, setText] = useState('');
  const [kept, setKept] = useState<readonly { _id: string; name: string }[]>([]);
  const search = useDeferredValue(text.trim());
  const { data } = useMaintenanceTenantsQuery({ variables: wholeList, fetchPolicy: 'no-cache' });
  const isLong = data !== undefined && data.tenantPage.total > wholeList.wholeUpTo;
  const found = useMaintenanceTenantsQuery({
    variables: { search, limit: wholeList.limit },
    skip: !isLong || search === '',
    fetchPolicy: 'no-cache',
  });
  const listed = (isLong ? (found.data ?? found.previousData) : data)?.tenantPage.tenants ?? [];
  const ids = new Set(listed.map(({ _id }) => _id));
  const tenants = [...kept.filter(({ _id }) => chosen.includes(_id) && !ids.has(_id)), ...listed];
  if (!isLong && tenants.length === 0) return null;
  return (
    <>
      {isLong && (
        <TextField label={messages.tenantSearch} value={text} onChange={({ target }) => setText(target.value)} />
      )}
      {tenants.length > 0 && (
        <CheckGroup label={messages.tenants}>
          {tenants.map((tenant) => (
            <CheckField
              key={tenant._id}
              label={tenant.name}
              checked={chosen.includes(tenant._id)}
              onChange={(on) => {
                setKept((before) => [...before.filter(({ _id }) => _id !== tenant._id), tenant]);
                onChange(toggleItem(chosen, tenant._id, on));
              }}
            />
          ))}
        </CheckGroup>
      )}
    </>
  );
}
