import { Link } from 'react-router';
import { toProjectPath } from '../../lib/routing/paths';
import { Chip } from '../../ui/cells/Chip';
import rowStyles from '../../ui/cells/cells.module.css';
import type { Column } from '../../ui/list/column';
import type { ProjectRowFragment } from './generated/projects';
import { describeTarget } from './ProjectOverview';
import { projectsMessages as messages } from './projects.messages';

export const projectColumns: Column<ProjectRowFragment>[] = [
  {
    id: 'name',
    header: messages.columns.name,
    isHeading: true,
    cell: ({ _id, name }) => (
      <Link className={rowStyles.name} to={toProjectPath(_id)}>
        {name}
      </Link>
    ),
    sort: ({ name }) => name,
  },
  {
    id: 'type',
    header: messages.columns.type,
    width: '34%',
    cell: (row) => (
      <span className={rowStyles.stack}>
        <Chip color={row.type === 'proxy' ? 'blue' : 'green'}>{messages.types[row.type]}</Chip>
        <small>{describeTarget(row)}</small>
      </span>
    ),
    sort: ({ type }) => messages.types[type],
  },
  {
    id: 'dbPrefix',
    header: messages.columns.dbPrefix,
    width: '18%',
    cell: ({ dbPrefix }) => (dbPrefix ? <code>{dbPrefix}</code> : messages.noPrefix),
    sort: ({ dbPrefix }) => dbPrefix,
  },
];
