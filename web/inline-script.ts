import { build, type Plugin, type Rolldown } from 'vite';

const QUERY = '?script';

/** Bundles a module with everything that it imports into one minified script. */
async function bundleScript(input: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      rolldownOptions: {
        input,
        output: { format: 'iife' },
        // The scripts share modules with the app. Hooks and contexts in these modules would add React to the scripts.
        treeshake: { moduleSideEffects: false },
      },
    },
  });
  const { output } = result as Rolldown.RolldownOutput;
  return output[0].code.trim();
}

/** `import source from './module?script'`: the bundled text of a module, for a `<script>` within a page. */
export const inlineScript = (): Plugin => ({
  name: 'inline-script',
  async load(id) {
    if (!id.endsWith(QUERY)) return;
    const file = id.slice(0, -QUERY.length);
    this.addWatchFile(file);
    return `export default ${JSON.stringify(await bundleScript(file))};`;
  },
});
