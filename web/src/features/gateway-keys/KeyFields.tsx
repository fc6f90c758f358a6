import { CheckField, CheckGroup, TextField } from '../../ui/fields';
import type { FieldErrors } from '../../ui/useSubmit';
import { keysMessages } from './gateway-keys.messages';
import styles from './gateway-keys.module.css';
import { useRoutePermissionsQuery } from './generated/gateway-keys';
import type { KeyValues } from './keyForm';
import { permissionGroups } from './permissionGroups';

const { form: messages } = keysMessages;

interface KeyFieldsProps {
  values: KeyValues;
  errors: FieldErrors;
  onChange: (change: Partial<KeyValues>) => void;
  /** Permissions that the key holds already. */
  kept?: readonly string[];
}

/** Name, addresses and the permissions by service, for a new key and for an edited one. */
export function KeyFields({ values, errors, onChange, kept }: KeyFieldsProps) {
  const { data } = useRoutePermissionsQuery({ fetchPolicy: 'cache-and-network' });
  const groups = permissionGroups(data?.gatewayRoutes ?? [], kept);
  const toggle = (permission: string, on: boolean) =>
    onChange({ permissions: [...values.permissions.filter((one) => one !== permission), ...(on ? [permission] : [])] });

  return (
    <>
      <div className={styles.pair}>
        <TextField
          label={messages.name}
          value={values.name}
          onChange={(name) => onChange({ name })}
          error={errors.name}
          placeholder={messages.namePlaceholder}
          maxLength={100}
          autoComplete="off"
          required
        />
        <TextField
          label={messages.allowedIps}
          value={values.allowedIps}
          onChange={(allowedIps) => onChange({ allowedIps })}
          error={errors.allowedIps}
          hint={messages.allowedIpsHint}
          placeholder={messages.allowedIpsPlaceholder}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <CheckGroup label={messages.permissions} error={errors.permissions} required>
        <div className={styles.groups}>
          {groups.map(({ name, permissions }) => (
            <fieldset key={name} className={styles.group} aria-label={messages.group(name)}>
              <strong>{name}</strong>
              {permissions.map((permission) => (
                <CheckField
                  key={permission}
                  label={<code>{permission}</code>}
                  checked={values.permissions.includes(permission)}
                  onChange={(on) => toggle(permission, on)}
                />
              ))}
              {permissions.includes('*') && <p className={styles.hint}>{messages.generalHint}</p>}
            </fieldset>
          ))}
        </div>
        {data?.gatewayRoutes.length === 0 && <p className={styles.hint}>{messages.noRoutePermissions}</p>}
      </CheckGroup>
    </>
  );
}
