import { Flex } from '@chakra-ui/react';
import type { SiteInput } from '../../generated/graph';
import { getCurrentHost, getSiteUrl } from '../../lib/hosts/host';
import { paths, withParams } from '../../lib/routing/paths';
import { TextLink } from '../../shared/links/TextLink';
import { CopyButton } from '../../ui/cells/CopyButton';
import { Panel } from '../../ui/layout/Page';
import { Snippet } from '../../ui/layout/Snippet';
import { versionsMessages } from './versions.messages';

const { curl: messages } = versionsMessages;

/** The command that publishes a folder. docs/operations.md has the same command. */
const formatCommand = (): string =>
  `tar -cz -C dist . | curl -fsS --data-binary @- -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/gzip' ${getSiteUrl(getCurrentHost())}/api/deploy`;

/** Shows the command with which a pipeline publishes, and links to the dialog that creates its token. */
export function CurlPanel({ site: { type, key } }: { site: SiteInput }) {
  const text = formatCommand();
  return (
    <Panel title={messages.title} text={messages.text}>
      <Snippet>{text}</Snippet>
      <Flex wrap="wrap" align="center" rowGap="2" columnGap="4">
        <CopyButton text={text} label={messages.copy} isLabelShown />
        <TextLink to={withParams(paths.settings, { aba: 'tokens', novo: `${type}:${key}` })}>{messages.token}</TextLink>
      </Flex>
    </Panel>
  );
}
