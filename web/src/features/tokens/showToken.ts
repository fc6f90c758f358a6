import { showSecretOnce } from '../../lib/notifications/oneTimeSecret';
import { formatExample } from './scopes';
import { tokensMessages } from './tokens.messages';

const { label, example, copyExample, ...texts } = tokensMessages.secret;

/** Shows a new token once, with an example command that uses it. */
export function showToken({ name, token, scopes }: { name: string; token: string; scopes: readonly string[] }): void {
  showSecretOnce({
    ...texts,
    label: label(name),
    secret: token,
    example: { label: example, text: formatExample(scopes, token, window.location.origin), copyLabel: copyExample },
  });
}
