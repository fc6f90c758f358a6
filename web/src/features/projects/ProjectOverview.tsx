import { paths, withParams } from '../../lib/routing/paths';
import { TextLink } from '../../shared/links/TextLink';
import { Chip } from '../../ui/cells/Chip';
import { Fact, Facts } from '../../ui/layout/Facts';
import { Panel } from '../../ui/layout/Page';
import type { ProjectRowFragment } from './generated/projects';
import { projectsMessages } from './projects.messages';

const { page: messages, columns, types, noPrefix } = projectsMessages;

/** The target of a project: its port, its folder or its versions. A folder or versions may have an API port, too. */
export function describeTarget({ type, apiPort, staticPath, source }: ProjectRowFragment): string {
  if (type === 'proxy') return messages.port(apiPort ?? 0);
  const files = source === 'versions' ? messages.versions : (staticPath ?? '');
  return apiPort === null ? files : `${files} · ${messages.api(apiPort)}`;
}

/** The facts about a project, with a link to its tenants. */
export const ProjectOverview = ({ row }: { row: ProjectRowFragment }) => (
  <Panel title={messages.title}>
    <Facts>
      <Fact label={columns.type}>
        <Chip color={row.type === 'proxy' ? 'blue' : 'green'}>{types[row.type]}</Chip>
      </Fact>
      <Fact label={messages.target}>{describeTarget(row)}</Fact>
      <Fact label={columns.dbPrefix}>{row.dbPrefix ? <code>{row.dbPrefix}</code> : noPrefix}</Fact>
      <Fact label={messages.tenants}>
        <TextLink to={withParams(paths.tenants, { filtro: row._id })}>{messages.showTenants}</TextLink>
      </Fact>
    </Facts>
  </Panel>
);
