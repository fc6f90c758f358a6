/**
 * `--require` of programs that tests start. A start loads up to 1,300 modules, which takes most of its CPU time. This file
 * keeps V8's code cache and the resolved file names of each program for its next start.
 */
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const { deserialize, serialize, setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

const ROOT = join(__dirname, '../..');
const MODULES = join(ROOT, 'node_modules');
const FOLDER = join(MODULES, '.cache/studio-programs');
const WRAPPER_LENGTH = Module.wrap('').indexOf('\n}');
/** The parts of Node's loader that have no types. */
const loader = Object(Module);

const hash = (/** @type {string} */ text) => createHash('sha256').update(text).digest('hex');

// After an installation of packages a name may resolve to another file.
const installation = statSync(join(MODULES, '.package-lock.json'), { throwIfNoEntry: false })?.mtimeMs;
const path = join(FOLDER, `${hash(`${process.argv[1]} ${process.execArgv} ${process.version} ${installation}`)}.cache`);

/** @returns {{ paths: Record<string, string>, codes: Map<string, { version: string, data: Buffer }> }} */
function readCache() {
  try {
    const { paths, codes } = deserialize(readFileSync(path));
    const found = Object.entries(paths).filter(([, file]) => existsSync(file));
    return { paths: Object.fromEntries(found), codes };
  } catch {
    // No program has stored a cache yet.
  }
  return { paths: {}, codes: new Map() };
}

function enableCache() {
  const { paths, codes } = readCache();
  Object.assign(loader._pathCache, paths);
  /** @type {Map<string, { version: string, script: Script }>} */
  const newScripts = new Map();

  const compile = loader.prototype._compile;
  loader.prototype._compile = function (content, filename, format) {
    // A dynamic import fails in a script that V8 takes from its cache. Files outside of ROOT are written by tests and
    // change.
    if (format === 'module' || content.includes('import(') || !filename.startsWith(ROOT))
      return compile.call(this, content, filename, format);
    const version = hash(content);
    const cachedCode = codes.get(filename);
    const cachedData = cachedCode?.version === version ? cachedCode.data : undefined;
    const script = new Script(Module.wrap(content), { filename, columnOffset: -WRAPPER_LENGTH, cachedData });
    if (!cachedData || script.cachedDataRejected) newScripts.set(filename, { version, script });
    const requireHere = Object.assign((/** @type {string} */ name) => this.require(name), {
      resolve: (name, options) => loader._resolveFilename(name, this, false, options),
      main: process.mainModule,
      cache: require.cache,
      extensions: require.extensions,
    });
    return script.runInThisContext().call(this.exports, this.exports, requireHere, this, filename, dirname(filename));
  };

  process.on('exit', () => {
    if (newScripts.size === 0) return;
    // V8 rejects cached code whose flags differ from the flags of a new process. The edge changes this flag, so it is
    // set back.
    setFlagsFromString('--heap-growing-percent=0');
    for (const [filename, { version, script }] of newScripts)
      codes.set(filename, { version, data: script.createCachedData() });
    const temporary = `${path}.${process.pid}`;
    try {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(temporary, serialize({ paths: { ...loader._pathCache }, codes }));
      renameSync(temporary, path);
    } catch {
      // Some tests limit the files that a program may write.
    }
  });
}

if (isMainThread) enableCache();
