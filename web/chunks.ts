/** The facts about a module that decide its chunk. */
interface Graph {
  getModuleInfo: (id: string) => { importers: readonly string[]; dynamicImporters: readonly string[] } | null;
}

/** Matches no package. */
const NONE = /(?!)/;
/** Packages go whole: who imports what of them is not to be seen past their index. */
const PACKAGES = {
  base: /^(react|react-dom|react-router|scheduler|cookie|set-cookie-parser)$/,
  page: /^(react-hook-form|@hookform|valibot|@emotion|stylis|@pandacss)/,
  graph: /^(@apollo|@wry|graphql|optimism|rxjs|tslib)/,
  console: /^@tanstack/,
  controls: NONE,
  dialogs: /^proxy-/,
};
/** Chakra's components and what they stand on, by the folder of a component: the first name that matches decides. */
const CHAKRA_PACKAGE = /^(@chakra-ui|@ark-ui|@zag-js|@floating-ui|@internationalized)/;
const CHAKRA_COMPONENTS = {
  /** Few screens or dialogs have it, and not the first screen: it stays with them. */
  own: /[/](tabs|combobox|qr-code|listbox|collection|popper|live-region|rect-utils|@floating-ui)[/]/,
  dialogs:
    /[/](dialog|drawer|portal|focus-trap|dismissable|interact-outside|aria-hidden|remove-scroll|presence|menu|toast)[/]/,
  /** The first screen has none until the second step of its wizard. */
  controls: /[/](checkbox|checkmark|radio-group|radiomark|fieldset)[/]/,
  console: /[/](native-select|table|card|empty-state|skeleton|focus-visible)[/]/,
};
/** Icons of the frame and of alerts. The others are the console's. */
const PAGE_ICONS = /[/]icons[/](circle-alert|circle-check|log-out|menu|moon|search|sun)[.]/;

const fileOfIcon = (id: string): string => (id.includes('/icons/') && !PAGE_ICONS.test(id) ? 'console' : 'page');

/** State machines and what only they use: text fields and lists need none. */
const MACHINES =
  /@zag-js[/](react[/]dist[/](machine|bindable|track)|core[/]dist[/](state|create-machine|scope|memo)|dom-query[/]dist[/](tabbable|controller|press|form|data-url|initial-focus|overflow|when-node))[.]/;

function fileOfChakra(id: string): string | null {
  if (MACHINES.test(id)) return 'controls';
  const [file] = Object.entries(CHAKRA_COMPONENTS).find(([, folders]) => folders.test(id)) ?? ['page'];
  return file === 'own' ? null : file;
}
/** Modules of ours that stand on Chakra's components of few screens. */
const OF_FEW_SCREENS = /[/]ui[/]layout[/]Tabs[.]/;
/** Fields of ours that stand on Chakra's controls. */
const CONTROLS = /[/]ui[/]form[/](checkFields|RadioField|overlaid)[.]/;
/** Folders below `src` of the pages without scripts. A file that they share with others must have no styles. */
const PLAIN_PAGES = ['app/static', 'features/landing'];
/** Folders of the visitors' pages, which load no console. */
const VISITOR_PAGES = ['features/login', 'features/contact'];
/** Pages of one thing, opened from its list: what they share with that list alone would burden the first screen. */
const DETAIL_PAGES = 'app/site';
/** The screen after a login: it has what it shares in the files of all screens, so that it asks for few. */
const FIRST_SCREEN = 'app/admin';
/** Layout routes: the frame of every page that runs React, and that of the console. */
const FRAME = 'app';
const CONSOLE_FRAME = 'app/console';

const packageOf = (id: string): string | undefined => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1];
/** Folder of a module below `src`; undefined for the router's own entry. */
const folderOf = (id: string): string | undefined => /[/]web[/]src(?:[/](.*))?[/][^/]+$/.exec(id)?.[1] ?? undefined;

/** The modules that load a module. */
interface Users {
  /** Folders of the routes. */
  routes: Set<string>;
  /** Folders of the modules that are loaded by `import()`. */
  lazy: Set<string>;
  /** The module itself is loaded by `import()`. */
  isLazy: boolean;
  /** The root or the router's entry, which every page loads. */
  start: boolean;
}

/**
 * The files that several pages share, few of them: on a slow network each request costs more than what a file brings too much.
 * A module of ours goes by who imports it, and what it imports goes with it or above it, so that no file waits for a later one:
 *
 * - `base`: what every page runs, React and the router; and what is shared with pages that run nothing
 * - `page`: the frame, and what the visitors' pages share with the console
 * - `graph`: the GraphQL client, which the visitors' pages load on first focus
 * - `console`: what the screens of the console share
 * - `controls`: check boxes, radio groups, and the state machines, which dialogs and tabs have, too
 * - `dialogs`: Chakra's overlays, once the screen is idle
 */
export function sharedFiles() {
  const found = new Map<string, Users>();

  /** The routes and the lazy modules that a module comes with, by their folders. */
  function usersOf(id: string, graph: Graph): Users {
    const before = found.get(id);
    if (before) return before;
    const users: Users = { routes: new Set(), lazy: new Set(), isLazy: false, start: false };
    const seen = new Set([id]);
    for (const module of seen) {
      const { importers, dynamicImporters } = graph.getModuleInfo(module) ?? { importers: [], dynamicImporters: [] };
      const folder = folderOf(module);
      if (dynamicImporters.length > 0 && folder !== undefined) users.lazy.add(folder);
      else if (importers.length === 0 && folder !== undefined) users.routes.add(folder);
      else if (importers.length === 0) users.start = true;
      for (const importer of importers) seen.add(importer);
    }
    users.isLazy = (graph.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0;
    found.set(id, users);
    return users;
  }

  function fileOf(id: string, graph: Graph): string | null {
    const ofPackage = packageOf(id);
    if (ofPackage !== undefined) {
      if (ofPackage === 'lucide-react') return fileOfIcon(id);
      if (CHAKRA_PACKAGE.test(ofPackage)) return fileOfChakra(id);
      return Object.entries(PACKAGES).find(([, packages]) => packages.test(ofPackage))?.[0] ?? null;
    }
    if (OF_FEW_SCREENS.test(id)) return null;
    if (CONTROLS.test(id)) return 'controls';
    const { routes, lazy, isLazy, start } = usersOf(id, graph);
    const isOf = (folders: readonly string[]) => folders.some((folder) => routes.has(folder));
    const withFirst = routes.has(FIRST_SCREEN);
    const screens = [...routes].filter(
      (folder) => folder !== FRAME && folder !== CONSOLE_FRAME && (folder !== DETAIL_PAGES || withFirst),
    );
    if (start || (routes.size + lazy.size > 1 && isOf(PLAIN_PAGES))) return 'base';
    if (routes.has(FRAME) || (screens.length > 1 && isOf(VISITOR_PAGES))) return 'page';
    if (lazy.has('lib')) return 'graph';
    if (routes.has(CONSOLE_FRAME) || screens.length > 1) return 'console';
    // Each dialog itself is loaded when it is opened: most screens never show a secret.
    return lazy.has('ui/dialog') && !isLazy ? 'dialogs' : null;
  }

  const files = Object.keys(PACKAGES);
  return files.map((file, index) => ({
    name: (id: string, graph: Graph) => (fileOf(id, graph) === file ? file : null),
    priority: files.length - index,
  }));
}
