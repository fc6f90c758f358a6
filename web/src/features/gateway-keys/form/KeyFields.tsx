import { chakra, SimpleGrid } from '@chakra-ui/react';
import { useCallback, useMemo } from 'react';
import { useQueryState } from '../../../lib/graphql/query/useQueryState';
import { LoadFailed } from '../../../ui/feedback/QueryState';
import { CheckGroup, toggleItem } from '../../../ui/form/fields/checkFields';
import { TextField } from '../../../ui/form/fields/textFields';
import type { FormFields } from '../../../ui/form/formFields';
import { keysMessages } from '../gateway-keys.messages';
import { useRoutePermissionsQuery } from '../generated/gateway-keys';
import { PermissionPicker } from '../permissions/PermissionPicker';
import { createPermissionGroups, mapServicesByPermission } from '../permissions/permissionGroups';
import { KeyOptions } from './KeyOptions';
import type { KeyValues } from './keyForm';

const { form: messages, failure } = keysMessages;

interface KeyFieldsProps {
  form: FormFields<KeyValues>;
  /** Permissions that an existing key holds. */
  currentPermissions?: readonly string[];
  /** Whether the field of the name takes the focus when the form appears. */
  autoFocus?: boolean;
}

/** The fields of a new or existing key: name, addresses, permissions by service, and rare options. */
export function KeyFields({ form, currentPermissions, autoFocus }: KeyFieldsProps) {
  const { data, state } = useQueryState(useRoutePermissionsQuery(), { failureMessage: failure.permissions });
  const choices = useMemo(() => {
    const routes = data?.gatewayRoutes ?? [];
    return { groups: createPermissionGroups(routes, currentPermissions), services: mapServicesByPermission(routes) };
  }, [data, currentPermissions]);
  const { change } = form;
  const togglePermission = useCallback(
    (permission: string, isOn: boolean) =>
      change(({ permissions }) => ({ permissions: toggleItem(permissions, permission, isOn) })),
    [change],
  );

  return (
    <>
      <SimpleGrid columns={{ md: 2 }} gap="4">
        <TextField {...form.text('name', messages)} autoComplete="off" autoFocus={autoFocus} required />
        <TextField {...form.text('allowedIps', messages)} autoComplete="off" spellCheck={false} />
      </SimpleGrid>
      <CheckGroup label={messages.permissions} error={form.errors.permissions} required>
        <LoadFailed {...state} />
        <PermissionPicker {...choices} chosen={form.watch('permissions')} onToggle={togglePermission} />
        {data?.gatewayRoutes.length === 0 && (
          <chakra.p textStyle="xs" color="fg.muted">
            {messages.noRoutePermissions}
          </chakra.p>
        )}
      </CheckGroup>
      <KeyOptions form={form} isNew={currentPermissions === undefined} />
    </>
  );
}
