import { keysMessages } from './gateway-keys.messages';

/** A permission as it is written; `*` also says what it means. */
export function PermissionName({ permission }: { permission: string }) {
  return (
    <>
      <code>{permission}</code>
      {permission === '*' && ` ${keysMessages.form.fullAccess}`}
    </>
  );
}
