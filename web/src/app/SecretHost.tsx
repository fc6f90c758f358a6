import { removeSecret, useOneTimeSecret } from '../lib/oneTimeSecret';
import { SecretDialog } from '../ui/dialog/SecretDialog';

/** Where a secret is shown once: outside of what a navigation or a logout replaces. */
export function SecretHost() {
  const secret = useOneTimeSecret();
  return secret && <SecretDialog {...secret} onClose={removeSecret} />;
}
