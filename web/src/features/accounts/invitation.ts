import { paths } from '../../app/paths';
import { showOnce } from '../../lib/oneTimeSecret';
import { accountsMessages } from './accounts.messages';

const { label, ...texts } = accountsMessages.invitation;

/** Shows the link for setting the password. The token is in the fragment, which browsers do not send to servers. */
export function showInvitation({ username, setupToken }: { username: string; setupToken: string }): void {
  showOnce({ ...texts, label: label(username), secret: `${window.location.origin}${paths.setup}#${setupToken}` });
}
