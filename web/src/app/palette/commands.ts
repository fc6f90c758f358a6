import { normalise } from '../../ui/normalise';
import { appMessages } from '../app.messages';
import type { PaletteEntitiesQuery } from './generated/palette';
import { paletteMessages } from './palette.messages';

/** Something the palette leads to. */
export interface Command {
  id: string;
  kind: keyof typeof paletteMessages.kinds;
  label: string;
  /** What else the search looks at. */
  text: string;
  to: string;
}

const SHOWN = 8;

const command = (kind: Command['kind'], label: string, to: string, more = ''): Command => ({
  id: `${kind}:${to}:${label}`,
  kind,
  label,
  to,
  text: normalise(`${label} ${more}`),
});

const found = (path: string, name: string) => `${path}${path.includes('?') ? '&' : '?'}q=${encodeURIComponent(name)}`;

/** Every command: screens and actions at once, entities as soon as they are here. */
export function allCommands(entities: PaletteEntitiesQuery | undefined): Command[] {
  return [
    ...appMessages.administrator.map(({ label, to }) => command('screen', label, to)),
    ...paletteMessages.actions.map(({ label, to }) => command('action', label, to)),
    ...(entities?.projects ?? []).map(({ name }) => command('project', name, found('/projects', name))),
    ...(entities?.tenants ?? []).map(({ name, subdomain }) =>
      command('tenant', name, found('/tenants', name), subdomain),
    ),
    ...(entities?.gatewayServices ?? []).map(({ name }) =>
      command('service', name, found('/gateway/management?tab=servicos', name)),
    ),
  ];
}

/** The best few: those that begin with the query before those that only hold it. */
export function matching(commands: readonly Command[], query: string): Command[] {
  const wanted = normalise(query.trim());
  const begins = commands.filter(({ text }) => text.startsWith(wanted)).slice(0, SHOWN);
  const holds = commands.filter(({ text }) => text.includes(wanted) && !text.startsWith(wanted)).slice(0, SHOWN);
  return [...begins, ...holds].slice(0, SHOWN);
}
