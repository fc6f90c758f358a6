import { showSecretOnce } from '../../lib/notifications/oneTimeSecret';
import { paths, withParams } from '../../lib/routing/paths';
import { accountsMessages } from './accounts.messages';
import { ACCOUNT_PARAM } from './invitationLink';

const { label, ...texts } = accountsMessages.invitation;

/** Shows the link for setting the password. The token is in the fragment, which browsers do not send to servers. */
export function showInvitation({ username, setupToken }: { username: string; setupToken: string }): void {
  const link = `${window.location.origin}${withParams(paths.setup, { [ACCOUNT_PARAM]: username })}#${setupToken}`;
  showSecretOnce({ ...texts, label: label(username), secret: link });
}
