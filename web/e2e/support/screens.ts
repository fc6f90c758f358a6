import type { Stack } from '../../../scripts/testing/stack';
import { paths, toSubdomainPath, withParams } from '../../src/lib/routing/paths';

const toTabPaths = (path: string, names: readonly string[]) => names.map((aba) => withParams(path, { aba }));

const DETAIL_PAGES = [toSubdomainPath('loja'), paths.tenant, paths.project];

/** The screens that are also checked without data: all except the tabs of a subdomain, tenant or project. */
export const SCREENS_WITHOUT_DATA: readonly string[] = [
  paths.subdomains,
  paths.tenants,
  paths.projects,
  ...DETAIL_PAGES,
  paths.settings,
  ...toTabPaths(paths.settings, ['mensagens', 'administradores', 'conta', 'tokens', 'backup', 'atividade']),
  paths.gatewayKeys,
  paths.gatewayManagement,
  withParams(paths.gatewayManagement, { tab: 'rotas' }),
  paths.gatewayMetrics,
  paths.alerts,
  ...toTabPaths(paths.alerts, ['historico', 'canais', 'regras', 'manutencao']),
];

/** Every screen of the console, and each tab of a screen. Layout and accessibility are checked on all of them. */
export const SCREENS: readonly string[] = [
  ...SCREENS_WITHOUT_DATA,
  ...DETAIL_PAGES.flatMap((page) => toTabPaths(page, ['versoes', 'regras'])),
  ...[toSubdomainPath('loja'), paths.tenant].flatMap((page) => toTabPaths(page, ['dominios', 'requisicoes'])),
];

/** Returns the URL of a screen. `:id` becomes the id of the first tenant or project, or `nenhum` if there is none. */
export async function resolveUrl(screen: string, stack: Stack): Promise<string> {
  const list = /^(\/\w+)\/:id/.exec(screen)?.[1];
  if (list === undefined) return stack.url + screen;
  const [first] = (await stack.request('GET', list)) as { _id: string }[];
  return stack.url + screen.replace(':id', first?._id ?? 'nenhum');
}
