import { useApolloClient } from '@apollo/client/react';
import { showOnce } from '../../lib/oneTimeSecret';
import { SecretDialog } from '../../ui/dialog/SecretDialog';
import { exampleCall } from './exampleCall';
import { keysMessages } from './gateway-keys.messages';
import { RoutePermissionsDocument } from './generated/gateway-keys';

const { created: messages, success, failure } = keysMessages;

/** Shows a new key once, with an example call. `prepare` is awaited before the key is created: one that cannot be shown is lost. */
export function useShowKey() {
  const client = useApolloClient();
  return {
    prepare: SecretDialog.preload,
    show: ({ name, permissions, key }: { name: string; permissions: readonly string[]; key: string }) => {
      const { title, warning, label, copy, close, example } = messages;
      const routes = client.readQuery({ query: RoutePermissionsDocument })?.gatewayRoutes ?? [];
      const text = exampleCall({ key, permissions }, routes);
      showOnce({
        ...{ title, warning, label: label(name), secret: key, copy, close },
        ...{ copied: success.copied, copyFailed: failure.copy },
        ...(text && { example: { ...example, text } }),
      });
    },
  };
}
