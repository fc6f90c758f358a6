import { Button, Link as ChakraLink } from '@chakra-ui/react';
import { FolderUp } from 'lucide-react';
import { Link } from 'react-router';
import { getSiteHost, getSiteUrl } from '../../lib/hosts/host';
import { toVersionsPath } from '../../lib/routing/paths';
import { HealthBadge } from '../../shared/host/HealthBadge';
import { CopyButton } from '../../ui/cells/CopyButton';
import rowStyles from '../../ui/cells/cells.module.css';
import { DateTime } from '../../ui/cells/RelativeTime';
import { Fact, Facts } from '../../ui/layout/Facts';
import { Panel } from '../../ui/layout/Page';
import { WritersOnly } from '../../ui/layout/WritersOnly';
import { type SubdomainRowFragment, useCheckSubdomainMutation } from './generated/subdomains';
import { awaitsFirstVersion, toSubdomainValues } from './subdomainForm';
import { subdomainsMessages } from './subdomains.messages';
import { ConnectionTest } from './target/ConnectionTest';
import { Target, TypeChip } from './target/Target';

const { page: messages, list, failure, success } = subdomainsMessages;

/** Target and health of a subdomain, with a connection test, or a link to publish if it awaits its first version. */
export function SubdomainOverview({ row }: { row: SubdomainRowFragment }) {
  const [check] = useCheckSubdomainMutation();
  const host = getSiteHost(row.subdomain);
  return (
    <Panel title={messages.target}>
      <Facts>
        <Fact label={list.columns.address}>
          <span className={rowStyles.address}>
            <ChakraLink
              variant="plain"
              fontWeight="medium"
              overflowWrap="anywhere"
              minWidth="0"
              href={getSiteUrl(host)}
              target="_blank"
              rel="noreferrer"
            >
              {host}
            </ChakraLink>
            <CopyButton text={getSiteUrl(host)} label={list.copy(host)} />
          </span>
        </Fact>
        <Fact label={messages.state}>
          <HealthBadge
            name={row.subdomain}
            paused={row.paused}
            health={row.health}
            onCheck={() => check({ variables: { subdomain: row.subdomain } })}
            failureMessage={failure.check}
          />
        </Fact>
        <Fact label={list.columns.type}>
          <TypeChip type={row.type} />
        </Fact>
        <Fact label={list.columns.target}>
          <Target row={row} />
        </Fact>
        <Fact label={list.columns.created}>
          <DateTime at={row.createdAt} />
        </Fact>
      </Facts>
      <WritersOnly>
        {awaitsFirstVersion(row) ? (
          <Button asChild mt="1">
            <Link to={toVersionsPath(row.subdomain)}>
              <FolderUp aria-hidden />
              {success.publish}
            </Link>
          </Button>
        ) : (
          <ConnectionTest values={toSubdomainValues(row)} subdomain={row.subdomain} />
        )}
      </WritersOnly>
    </Panel>
  );
}
