import { closeSecret, useOneTimeSecret } from '../lib/notifications/oneTimeSecret';
import { SecretDialog } from '../ui/dialog/SecretDialog';

/** Shows a one-time secret. The outlet is outside of the routes, so that a navigation or a logout does not close it. */
export function SecretOutlet() {
  const secret = useOneTimeSecret();
  return secret && <SecretDialog {...secret} onClose={closeSecret} />;
}
