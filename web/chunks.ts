/** The facts about a module that decide its chunk. */
interface ModuleGraph {
  getModuleInfo: (id: string) => { importers: readonly string[]; dynamicImporters: readonly string[] } | null;
}

/** Matches no package. */
const NO_PACKAGE = /(?!)/;
/** The packages of each file. A package is not split, because its index hides which module imports which part. */
const PACKAGES = {
  base: /^(react|react-dom|react-router|scheduler|cookie|set-cookie-parser)$/,
  page: /^(react-hook-form|@hookform|valibot|@emotion|stylis|@pandacss)/,
  graph: /^(@apollo|@wry|graphql|optimism|rxjs|tslib)/,
  console: /^@tanstack/,
  controls: NO_PACKAGE,
  dialogs: /^proxy-/,
};
/** Chakra's components and the packages below them, by the folder of a component. The first match decides. */
const CHAKRA_PACKAGE = /^(@chakra-ui|@ark-ui|@zag-js|@floating-ui|@internationalized)/;
const CHAKRA_COMPONENTS = {
  /** The first screen uses none of these. Each one is in the files of the few screens and dialogs that use it. */
  own: /[/](tabs|combobox|qr-code|listbox|collection|popper|live-region|rect-utils|@floating-ui)[/]/,
  dialogs:
    /[/](dialog|drawer|portal|focus-trap|dismissable|interact-outside|aria-hidden|remove-scroll|presence|menu|toast)[/]/,
  /** The first screen shows no controls before the second step of its wizard. */
  controls: /[/](checkbox|checkmark|radio-group|radiomark|fieldset)[/]/,
  console: /[/](native-select|table|card|empty-state|skeleton|focus-visible)[/]/,
};
/** Icons of the frame and of alerts. All other icons are in the file `console`. */
const PAGE_ICONS = /[/]icons[/](circle-alert|circle-check|log-out|menu|moon|search|sun)[.]/;

const chooseIconFile = (id: string): string => (id.includes('/icons/') && !PAGE_ICONS.test(id) ? 'console' : 'page');

/** Zag's state machines, and the modules that only state machines import. Text fields and lists need none of them. */
const MACHINES =
  /@zag-js[/](react[/]dist[/](machine|bindable|track)|core[/]dist[/](state|create-machine|scope|memo)|dom-query[/]dist[/](tabbable|controller|press|form|data-url|initial-focus|overflow|when-node))[.]/;

function chooseChakraFile(id: string): string | null {
  if (MACHINES.test(id)) return 'controls';
  const [file] = Object.entries(CHAKRA_COMPONENTS).find(([, folders]) => folders.test(id)) ?? ['page'];
  return file === 'own' ? null : file;
}
/** Our modules that use Chakra's components of few screens. */
const RARE_MODULES = /[/]ui[/]layout[/]Tabs[.]/;
/** Our fields that use Chakra's controls. */
const CONTROLS = /[/]ui[/]form[/]fields[/](checkFields|RadioField|overlaid)[.]/;
/** Folders below `src` of the pages without scripts. A file that they share with others must have no styles. */
const PLAIN_PAGES = ['app/static', 'features/landing'];
/** Folders of the pages for visitors, which do not load the console. */
const VISITOR_PAGES = ['features/login', 'features/contact'];
/** Pages of one entity. A module that such a page shares only with its list would make the first screen larger. */
const DETAIL_PAGES = 'app/site';
/** The screen after a login. Its shared modules are in the files of all screens, so that it requests few files. */
const FIRST_SCREEN = 'app/admin';
/** Layout routes: the frame of every page that runs React, and that of the console. */
const FRAME = 'app';
const CONSOLE_FRAME = 'app/console';

const readPackageName = (id: string): string | undefined => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1];
/** Folder of a module below `src`; undefined for the router's own entry. */
const readFolder = (id: string): string | undefined => /[/]web[/]src(?:[/](.*))?[/][^/]+$/.exec(id)?.[1] ?? undefined;

/** The direct and indirect importers of a module. */
interface Importers {
  routeFolders: Set<string>;
  /** Folders of the importers that are loaded by `import()`. */
  lazyFolders: Set<string>;
  /** Whether the module itself is loaded by `import()`. */
  isLazy: boolean;
  /** Whether the root or the router's entry, which every page loads, imports the module. */
  isInEntry: boolean;
}

/**
 * Puts the modules that several pages share into a few files, because a request on a slow network costs more than unused
 * code. The file of one of our modules depends on the pages that import it. A file imports only from the files above it
 * in this list, so that it never waits for a file below it:
 *
 * - `base`: modules that every page runs (React, the router), and modules shared with pages without scripts
 * - `page`: the frame, and modules that the pages for visitors share with the console
 * - `graph`: the GraphQL client, which the pages for visitors load on first focus
 * - `console`: modules that the screens of the console share, and the parts of its frame
 * - `controls`: checkboxes, radio groups, and the state machines that dialogs and tabs also use
 * - `dialogs`: Chakra's overlays, loaded once the screen is idle
 */
export function createChunkGroups() {
  const importersById = new Map<string, Importers>();

  /** The folders of the routes and of the lazy modules that import a module, directly or indirectly. */
  function findImporters(id: string, graph: ModuleGraph): Importers {
    const cachedImporters = importersById.get(id);
    if (cachedImporters) return cachedImporters;
    const result: Importers = { routeFolders: new Set(), lazyFolders: new Set(), isLazy: false, isInEntry: false };
    const modules = new Set([id]);
    for (const module of modules) {
      const { importers, dynamicImporters } = graph.getModuleInfo(module) ?? { importers: [], dynamicImporters: [] };
      const folder = readFolder(module);
      if (dynamicImporters.length > 0 && folder !== undefined) result.lazyFolders.add(folder);
      else if (importers.length === 0 && folder !== undefined) result.routeFolders.add(folder);
      else if (importers.length === 0) result.isInEntry = true;
      for (const importer of importers) modules.add(importer);
    }
    result.isLazy = (graph.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0;
    importersById.set(id, result);
    return result;
  }

  function chooseFile(id: string, graph: ModuleGraph): string | null {
    const packageName = readPackageName(id);
    if (packageName !== undefined) {
      if (packageName === 'lucide-react') return chooseIconFile(id);
      if (CHAKRA_PACKAGE.test(packageName)) return chooseChakraFile(id);
      return Object.entries(PACKAGES).find(([, packages]) => packages.test(packageName))?.[0] ?? null;
    }
    if (RARE_MODULES.test(id)) return null;
    if (CONTROLS.test(id)) return 'controls';
    const { routeFolders, lazyFolders, isLazy, isInEntry } = findImporters(id, graph);
    const isUsedBy = (folders: readonly string[]) => folders.some((folder) => routeFolders.has(folder));
    const isOnFirstScreen = routeFolders.has(FIRST_SCREEN);
    const screens = [...routeFolders].filter(
      (folder) => folder !== FRAME && folder !== CONSOLE_FRAME && (folder !== DETAIL_PAGES || isOnFirstScreen),
    );
    if (isInEntry || (routeFolders.size + lazyFolders.size > 1 && isUsedBy(PLAIN_PAGES))) return 'base';
    if (routeFolders.has(FRAME) || (screens.length > 1 && isUsedBy(VISITOR_PAGES))) return 'page';
    if (lazyFolders.has('lib/graphql/client')) return 'graph';
    if (routeFolders.has(CONSOLE_FRAME) || lazyFolders.has(CONSOLE_FRAME) || screens.length > 1) return 'console';
    // A dialog itself is loaded when it is opened, because most screens never show it.
    return lazyFolders.has('ui/dialog') && !isLazy ? 'dialogs' : null;
  }

  const files = Object.keys(PACKAGES);
  return files.map((file, index) => ({
    name: (id: string, graph: ModuleGraph) => (chooseFile(id, graph) === file ? file : null),
    priority: files.length - index,
  }));
}
