import { keysMessages } from './gateway-keys.messages';

/** The text of a permission. For `*` the meaning is shown, too. */
export function PermissionName({ permission }: { permission: string }) {
  return (
    <>
      <code>{permission}</code>
      {permission === '*' && ` ${keysMessages.form.fullAccess}`}
    </>
  );
}
