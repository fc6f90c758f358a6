import { getSiteHost } from '../../lib/hosts/host';
import { paths, toSubdomainPath, toTenantPath, withParams } from '../../lib/routing/paths';
import { toRequestsState } from '../../lib/routing/useShowRequests';
import type { AffectedRowFragment, OverviewQuery } from './generated/overview';
import { overviewMessages as messages } from './overview.messages';

export interface Issue {
  text: string;
  links: { to: string; label: string; state?: ReturnType<typeof toRequestsState> }[];
  /** Link to the whole list, if only its first items have links. */
  moreLink?: Issue['links'][number];
}

type ServerErrorHost = OverviewQuery['overview']['serverErrorHosts'][number];

/** A link to a host's last requests that were answered with 5xx. */
function toErrorLink({ kind, id, name }: ServerErrorHost): Issue['links'][number] {
  const filter = { status: '5xx' };
  if (kind === 'subdomain' && id && name) {
    const to = withParams(paths.subdomains, { requisicoes: `subdominio-${id}`, ...filter });
    return { to, label: name, state: toRequestsState(getSiteHost(name)) };
  }
  if (kind === 'tenant' && id && name) {
    const to = withParams(paths.tenants, { requisicoes: `tenant-${id}`, ...filter });
    return { to, label: name, state: toRequestsState(name) };
  }
  return { to: withParams(paths.subdomains, { requisicoes: 'todas', ...filter }), label: messages.showRequests };
}

/** The issues that need an administrator's attention, the most urgent first. */
export function listIssues({ overview }: OverviewQuery): Issue[] {
  const createLinkedIssue = (
    { total, first }: AffectedRowFragment,
    formatText: (count: number) => string,
    listPath: string,
    toPath: (entity: (typeof first)[number]) => string,
  ): Issue[] =>
    total > 0
      ? [
          {
            text: formatText(total),
            links: first.map((entity) => ({ to: toPath(entity), label: entity.name })),
            moreLink: total > first.length ? { to: listPath, label: messages.more(total - first.length) } : undefined,
          },
        ]
      : [];
  const createCountIssue = (count: number, formatText: (count: number) => string, links: Issue['links']): Issue[] =>
    count > 0 ? [{ text: formatText(count), links }] : [];
  const toDomainDialogPath = ({ id }: { id: string }) => withParams(paths.tenants, { dominio: id });
  return [
    ...createLinkedIssue(
      overview.subdomainsDown,
      messages.subdomainsDown,
      withParams(paths.subdomains, { filtro: 'down' }),
      ({ name }) => toSubdomainPath(name),
    ),
    ...createLinkedIssue(overview.tenantsDown, messages.tenantsDown, paths.tenants, ({ id }) => toTenantPath(id)),
    ...createCountIssue(overview.alerts, messages.alerts, [{ to: paths.alerts, label: messages.showAlerts }]),
    ...createLinkedIssue(overview.domainsWaiting, messages.domainsWaiting, paths.tenants, toDomainDialogPath),
    ...createLinkedIssue(overview.certificatesEnding, messages.certificatesEnding, paths.tenants, toDomainDialogPath),
    ...createLinkedIssue(
      overview.tokensEnding,
      messages.tokensEnding,
      withParams(paths.settings, { aba: 'tokens' }),
      ({ name }) => withParams(paths.settings, { aba: 'tokens', q: name }),
    ),
    ...createCountIssue(overview.recentServerErrors, messages.serverErrors, overview.serverErrorHosts.map(toErrorLink)),
    ...createCountIssue(overview.unread, messages.unread, [
      { to: withParams(paths.settings, { aba: 'mensagens' }), label: messages.showMessages },
    ]),
  ];
}
