import { Link } from 'react-router';
import { paths, withParams } from '../../lib/routing/paths';
import { Chip } from '../../ui/cells/Chip';
import { CopyableText } from '../../ui/cells/CopyableText';
import rowStyles from '../../ui/cells/cells.module.css';
import type { Column } from '../../ui/list/column';
import { routesMessages as messages } from './gateway-routes.messages';
import type { RouteRowFragment } from './generated/gateway-routes';
import { MethodChip } from './MethodChip';

export const routeColumns: Column<RouteRowFragment>[] = [
  {
    id: 'origin',
    header: messages.columns.origin,
    isHeading: true,
    cell: ({ origin }) => <CopyableText text={origin} label={messages.copyOrigin} />,
    sort: ({ origin }) => origin,
  },
  {
    id: 'destination',
    isWide: true,
    header: messages.columns.destination,
    width: '20%',
    sort: ({ destination }) => destination,
  },
  { id: 'service', header: messages.columns.service, width: '130px', sort: ({ service }) => service.name },
  {
    id: 'methods',
    header: messages.columns.methods,
    width: '160px',
    cell: ({ methods }) => (
      <span className={rowStyles.wrap}>
        {methods.map((method) => (
          <MethodChip key={method} method={method} />
        ))}
      </span>
    ),
  },
  {
    id: 'permission',
    header: messages.columns.permission,
    width: '160px',
    cell: (route) =>
      route.public ? (
        <Chip>{messages.isPublic}</Chip>
      ) : (
        <Link
          className={rowStyles.link}
          to={withParams(paths.gatewayKeys, { permissao: route.permission })}
          title={messages.keysThatCall(route.permission)}
        >
          {route.permission}
        </Link>
      ),
    sort: ({ permission }) => permission,
  },
];
