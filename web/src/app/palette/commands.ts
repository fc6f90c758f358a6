import { normalise } from '../../lib/normalise';
import { appMessages } from '../app.messages';
import { paths, withParams } from '../paths';
import type { PaletteEntitiesQuery } from './generated/palette';
import { paletteMessages } from './palette.messages';

/** A destination of the palette. */
export interface Command {
  id: string;
  kind: keyof typeof paletteMessages.kinds;
  label: string;
  /** Further text that the search matches. */
  text: string;
  to: string;
}

const MAX_RESULTS = 8;

const command = (kind: Command['kind'], label: string, to: string, more = ''): Command => ({
  id: `${kind}:${to}:${label}`,
  kind,
  label,
  to,
  text: normalise(`${label} ${more}`),
});

/** All commands: screens and actions, and entities once they have loaded. */
export function allCommands(entities: PaletteEntitiesQuery | undefined): Command[] {
  return [
    ...appMessages.administrator.map(({ label, to }) => command('screen', label, to)),
    ...paletteMessages.actions.map(({ label, to }) => command('action', label, to)),
    ...(entities?.projects ?? []).map(({ name }) => command('project', name, withParams(paths.projects, { q: name }))),
    ...(entities?.tenants ?? []).map(({ name, subdomain }) =>
      command('tenant', name, withParams(paths.tenants, { q: name }), subdomain),
    ),
    ...(entities?.gatewayServices ?? []).map(({ name }) =>
      command('service', name, withParams(paths.gatewayManagement, { tab: 'servicos', q: name })),
    ),
  ];
}

/** The best matches: those that start with the query before those that contain it. */
export function matching(commands: readonly Command[], query: string): Command[] {
  const wanted = normalise(query.trim());
  const starting = commands.filter(({ text }) => text.startsWith(wanted)).slice(0, MAX_RESULTS);
  const containing = commands
    .filter(({ text }) => text.includes(wanted) && !text.startsWith(wanted))
    .slice(0, MAX_RESULTS);
  return [...starting, ...containing].slice(0, MAX_RESULTS);
}
