import { useApolloClient } from '@apollo/client/react';
import { showSecretOnce } from '../../lib/notifications/oneTimeSecret';
import { formatExampleCall } from './exampleCall';
import { keysMessages } from './gateway-keys.messages';
import { RoutePermissionsDocument } from './generated/gateway-keys';

const { created, success, failure } = keysMessages;
const { label, example, ...texts } = created;

/**
 * Returns a function that shows a key once, with an example call. Await `SecretDialog.preload` before the key is
 * created, because a key that cannot be shown would be lost.
 * @param title says whether the key is new or replaces an old key
 */
export function useShowKey(title: string) {
  const client = useApolloClient();
  return ({ name, permissions, key }: { name: string; permissions: readonly string[]; key: string }) => {
    const routes = client.readQuery({ query: RoutePermissionsDocument })?.gatewayRoutes ?? [];
    const text = formatExampleCall({ key, permissions }, routes);
    showSecretOnce({
      ...texts,
      title,
      label: label(name),
      secret: key,
      copiedMessage: success.copied,
      copyFailedMessage: failure.copy,
      example: text ? { ...example, text } : undefined,
    });
  };
}
