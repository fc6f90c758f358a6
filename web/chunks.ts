/** Of a module, what decides in which file it goes. */
interface Graph {
  getModuleInfo: (id: string) => { importers: readonly string[]; dynamicImporters: readonly string[] } | null;
}

/** Packages go whole: who imports what of them is not to be seen past their index. */
const PACKAGES = {
  base: /^(react|react-dom|react-router|scheduler|cookie|set-cookie-parser)$/,
  page: /^lucide-react$/,
  graph: /^(@apollo|@wry|graphql|optimism|rxjs|tslib)/,
  console: /^@tanstack/,
  dialogs: /^(@chakra-ui|@ark-ui|@zag-js|@emotion|@pandacss|@floating-ui|@internationalized|stylis|proxy-)/,
};
/** Pages without scripts: a file that they share with others must have no styles, since they would load them. */
const PLAIN_PAGES = ['StaticShell', 'LandingPage', 'MissingPage'];
const VISITOR_PAGES = ['LoginPage', 'ContactPage'];

const packageOf = (id: string): string | undefined => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1];
const nameOf = (id: string): string => /([^/?]+)\.\w+(?:\?[^/]*)?$/.exec(id)?.[1] ?? id;

/**
 * The files that several pages share, few of them: on a slow network each request costs more than what a file brings too much.
 * A module of ours goes by who imports it, and what it imports goes with it or above it, so that no file waits for a later one:
 *
 * - `base`: what every page runs, React and the router; and what is shared with pages that run nothing
 * - `page`: the frame, and what the visitors' pages share with the console
 * - `graph`: the GraphQL client, which the visitors' pages load on first focus
 * - `console`: what the screens of the console share
 * - `dialogs`: Chakra's dialog, once the screen is idle
 */
export function sharedFiles() {
  const found = new Map<string, ReadonlySet<string>>();

  /** The routes and the lazy modules that a module comes with, by the names of their files. */
  function usersOf(id: string, graph: Graph): ReadonlySet<string> {
    const before = found.get(id);
    if (before) return before;
    const users = new Set<string>();
    const seen = new Set([id]);
    for (const module of seen) {
      const { importers, dynamicImporters } = graph.getModuleInfo(module) ?? { importers: [], dynamicImporters: [] };
      if (importers.length === 0 || dynamicImporters.length > 0) users.add(nameOf(module));
      for (const importer of importers) seen.add(importer);
    }
    found.set(id, users);
    return users;
  }

  function fileOf(id: string, graph: Graph): string | null {
    const ofPackage = packageOf(id);
    if (ofPackage !== undefined) {
      return Object.entries(PACKAGES).find(([, packages]) => packages.test(ofPackage))?.[0] ?? null;
    }
    const users = usersOf(id, graph);
    const routes = [...users].filter((name) => name.endsWith('Page'));
    const isOf = (names: readonly string[]) => names.some((name) => users.has(name));
    if (isOf(['entry', 'root']) || (users.size > 1 && isOf(PLAIN_PAGES))) return 'base';
    if (users.has('Shell') || (routes.length > 1 && isOf(VISITOR_PAGES))) return 'page';
    if (users.has('client')) return 'graph';
    if (users.has('Guard') || routes.length > 1) return 'console';
    const isDialog = (name: string) => name.endsWith('DialogView');
    // Each dialog itself comes when it is asked for: most screens never show a secret.
    return [...users].some(isDialog) && !isDialog(nameOf(id)) ? 'dialogs' : null;
  }

  const files = Object.keys(PACKAGES);
  return files.map((file, index) => ({
    name: (id: string, graph: Graph) => (fileOf(id, graph) === file ? file : null),
    priority: files.length - index,
  }));
}
