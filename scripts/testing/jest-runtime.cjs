/**
 * The runtime of Jest for all projects, which takes less CPU time than Jest's own (docs/decisions/151):
 * - Jest compiles each module again for each test file. This runtime compiles it once for each worker, and runs it again
 *   in the context of each test file.
 * - Jest's test runner creates an `AsyncLocalStorage` for each test file and never disables it. Node copies the value of
 *   every enabled storage to every promise, so each test file would slow down all later files of its worker. This runtime
 *   disables the storages of a test file at its end.
 */
const asyncHooks = require('node:async_hooks');
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/**
 * The compiled modules of this worker, by parameters and file name.
 * @type {Map<string, { source: string, script: Script }>}
 */
const compiled = new Map();

class TestRuntime extends Runtime {
  /** @type {Set<asyncHooks.AsyncLocalStorage<unknown>>} */
  #storages = new Set();

  /** @param {ConstructorParameters<typeof Runtime>} options */
  constructor(...options) {
    super(...options);
    // These parts are private to Jest and have no types. If an upgrade removes them, every test file fails.
    const { executor, coreModule } = Object(this);
    this.#cacheScripts(executor);
    this.#collectStorages(coreModule);
  }

  #cacheScripts(executor) {
    const compile = executor.compile.bind(executor);
    const head = `(function (${executor.injectedModuleParameters.join(', ')}) {`;
    executor.compile = (/** @type {string} */ source, /** @type {string} */ filename) => {
      const context = executor.environment.getVmContext();
      // A dynamic import belongs to the test file that compiled its script.
      if (!context || source.includes('import(') || source.startsWith('#!')) return compile(source, filename);
      const key = `${head}${filename}`;
      const entry = compiled.get(key);
      if (entry?.source === source) return entry.script.runInContext(context);
      let script;
      try {
        script = new Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
      } catch {
        // Jest explains a syntax error.
        return compile(source, filename);
      }
      compiled.set(key, { source, script });
      return script.runInContext(context);
    };
  }

  #collectStorages(coreModule) {
    const storages = this.#storages;
    class CollectedStorage extends asyncHooks.AsyncLocalStorage {
      constructor(...options) {
        super(...options);
        storages.add(this);
      }
    }
    const module = { ...asyncHooks, AsyncLocalStorage: CollectedStorage };
    const requireCore = coreModule.require.bind(coreModule);
    coreModule.require = (/** @type {string} */ name) =>
      name === 'node:async_hooks' || name === 'async_hooks' ? module : requireCore(name);
  }

  /** @override */
  teardown() {
    for (const storage of this.#storages) storage.disable();
    super.teardown();
  }
}

module.exports = TestRuntime;
