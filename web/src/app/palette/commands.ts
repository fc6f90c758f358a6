import { foldAccents } from '../../lib/format/foldAccents';
import { joinPages } from '../../lib/graphql/query/listPages';
import {
  isOpenToLimitedAccounts,
  paths,
  toProjectPath,
  toSubdomainPath,
  toTenantPath,
  withParams,
} from '../../lib/routing/paths';
import type { useAccess } from '../../lib/session/access';
import { appMessages } from '../app.messages';
import type { PaletteEntitiesQuery, PaletteSubdomainsQuery } from './generated/palette';
import { paletteMessages } from './palette.messages';

/** A destination or an action of the palette. */
export interface Command {
  id: string;
  kind: keyof typeof paletteMessages.kinds;
  label: string;
  /** The text that a query is compared with: the label and related words, without accents. */
  foldedText: string;
  /** The path to go to. A command without a path switches the theme. */
  to?: string;
}

type Rights = Pick<ReturnType<typeof useAccess>, 'isLimited' | 'canWrite' | 'isAdministrator'>;

const MAX_RESULTS = 8;

const createCommand = (kind: Command['kind'], label: string, to: string | undefined, searchText = ''): Command => ({
  // The id of an element must contain no space.
  id: encodeURI(`${kind}:${to}:${label}`),
  kind,
  label,
  to,
  foldedText: foldAccents(`${label} ${searchText}`),
});

/** All commands that the account may use: screens, tabs, actions, and entities once they are loaded. */
export function listCommands(
  entities: Partial<PaletteEntitiesQuery> | undefined,
  { isLimited, canWrite, isAdministrator }: Rights,
): Command[] {
  const rights = {
    everybody: true,
    unlimited: !isLimited,
    writer: canWrite,
    operator: canWrite && !isLimited,
    administrator: isAdministrator,
  };
  const screens = appMessages.administrator.filter(({ to }) => !isLimited || isOpenToLimitedAccounts(to));
  return [
    ...screens.map(({ label, to }) => createCommand('screen', label, to)),
    ...paletteMessages.actions
      .filter((action) => rights[action.openTo])
      .map(({ label, to }) => createCommand('action', label, to)),
    createCommand('action', paletteMessages.theme.label, undefined, paletteMessages.theme.searchText),
    ...paletteMessages.tabs
      .filter((tab) => rights[tab.openTo])
      .map(({ label, to, searchText }) => createCommand('screen', label, to, searchText)),
    ...(entities?.projects ?? []).map(({ _id, name }) => createCommand('project', name, toProjectPath(_id))),
    ...(entities?.tenants ?? []).map(({ _id, name, subdomain }) =>
      createCommand('tenant', name, toTenantPath(_id), subdomain),
    ),
    ...(entities?.gatewayServices ?? []).map(({ name }) =>
      createCommand('service', name, withParams(paths.gatewayManagement, { tab: 'servicos', q: name })),
    ),
    ...(entities?.apiKeys ?? []).map(({ name, prefix }) =>
      createCommand('key', name, withParams(paths.gatewayKeys, { q: name }), prefix ?? ''),
    ),
  ];
}

/** Commands that open the subdomains in a response of the server. */
export const listSubdomainCommands = (data: PaletteSubdomainsQuery | undefined): Command[] =>
  joinPages(data?.subdomains.subdomains).map(({ subdomain, description }) =>
    createCommand('subdomain', subdomain, toSubdomainPath(subdomain), description),
  );

/** The best matches: commands whose label starts with the query come before other matches. */
export function findMatches(commands: readonly Command[], query: string): Command[] {
  const foldedQuery = foldAccents(query.trim());
  const startMatches = commands.filter(({ foldedText }) => foldedText.startsWith(foldedQuery)).slice(0, MAX_RESULTS);
  const otherMatches = commands
    .filter(({ foldedText }) => foldedText.includes(foldedQuery) && !foldedText.startsWith(foldedQuery))
    .slice(0, MAX_RESULTS);
  return [...startMatches, ...otherMatches].slice(0, MAX_RESULTS);
}
