import { useApolloClient } from '@apollo/client/react';
import { showSecretOnce } from '../../lib/notifications/oneTimeSecret';
import { SecretDialog } from '../../ui/dialog/SecretDialog';
import { formatExampleCall } from './exampleCall';
import { keysMessages } from './gateway-keys.messages';
import { RoutePermissionsDocument } from './generated/gateway-keys';

const { created, success, failure } = keysMessages;
const { label, example, ...texts } = created;

/**
 * Shows a key once, with an example call. Await `prepare` before the key is created, because a key that cannot be shown
 * would be lost.
 * @param title says whether the key is new or replaces an old key
 */
export function useShowKey(title: string) {
  const client = useApolloClient();
  return {
    prepare: SecretDialog.preload,
    show: ({ name, permissions, key }: { name: string; permissions: readonly string[]; key: string }) => {
      const routes = client.readQuery({ query: RoutePermissionsDocument })?.gatewayRoutes ?? [];
      const text = formatExampleCall({ key, permissions }, routes);
      showSecretOnce({
        ...texts,
        title,
        label: label(name),
        secret: key,
        copied: success.copied,
        copyFailed: failure.copy,
        example: text ? { ...example, text } : undefined,
      });
    },
  };
}
