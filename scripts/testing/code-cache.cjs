/**
 * Tests start their programs with `--require` of this file. A start loads up to 1,300 modules, which takes most of its
 * CPU time. A cache file of each program therefore stores the source of its modules, V8's code for them, their resolved
 * file names, and the names of Node's own modules for the next start.
 */
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, isAbsolute, join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

const ROOT = join(__dirname, '../..');
const MODULES = join(ROOT, 'node_modules');
const FOLDER = join(MODULES, '.cache/studio-programs');
/**
 * V8 optimizes a function twenty times later than by default. A program of a test lives for seconds, in which
 * optimizing most functions takes longer than it saves.
 */
const LATE_OPTIMIZATION = '--interrupt-budget=1320000';
const WRAPPER_LENGTH = Module.wrap('').indexOf('\n}'); // Characters that precede the source of a module.
/** Size of the first field of the cache file: the length of the index, which comes next. */
const LENGTH_BYTES = 4;
/** The parts of Node's loader that have no types. */
const loader = Object(Module);

/** @type {Map<string, string>} */
const versions = new Map();
/** Returns a text that changes with every write of a file, or '' without a file. Each file is looked up only once. */
function readVersion(/** @type {string} */ file) {
  let version = versions.get(file);
  if (version === undefined) {
    const stats = statSync(file, { throwIfNoEntry: false });
    version = stats ? `${stats.mtimeMs} ${stats.size}` : '';
    versions.set(file, version);
  }
  return version;
}

// These files belong to the key: they decide which file a name resolves to, and which code a source compiles to.
const dependencies = [join(MODULES, '.package-lock.json'), __filename, join(__dirname, 'register.cjs')].map(
  readVersion,
);
const key = [process.argv[1], process.execArgv, process.version, ...dependencies].join('\n');
const path = join(FOLDER, `${createHash('sha256').update(key).digest('hex')}.cache`);

/**
 * `files` has the version of each module, and the lengths in bytes of its wrapped source and its code, stored in this order.
 * `names` has resolved file names by the folder of the requiring module and by the required name. `builtins` has the names
 * of Node's own modules that the program has loaded.
 * @typedef {{ version: string, sourceBytes: number, codeBytes: number, isLatin1: boolean }} Entry
 * @typedef {{ files: Record<string, Entry>, names: Record<string, Record<string, string>>, builtins: string[] }} Index
 */

/** @returns {{ index: Index, bytes: Buffer }} */
function readCache() {
  try {
    const content = readFileSync(path);
    const end = LENGTH_BYTES + content.readUInt32LE(0);
    return { index: JSON.parse(content.toString('utf8', LENGTH_BYTES, end)), bytes: content.subarray(end) };
  } catch {
    // No program has stored a cache yet.
  }
  return { index: { files: {}, names: {}, builtins: [] }, bytes: Buffer.alloc(0) };
}

/** Returns the names of Node's own modules that the program has loaded, except those for Node's internal use. */
function listLoadedBuiltins() {
  const loaded = new Set(Object(process).moduleLoadList);
  return loader.builtinModules.filter((name) => !name.startsWith('_') && loaded.has(`NativeModule ${name}`));
}

function enableCache() {
  const { index, bytes } = readCache();
  const { names, builtins } = index;
  // Node contains V8's code for its own modules. V8 rejects this code once a flag has changed.
  for (const name of builtins) require(name);
  setFlagsFromString(LATE_OPTIMIZATION);
  /** @type {Map<string, Entry & { bytes: Buffer }>} */
  const cached = new Map();
  let offset = 0;
  for (const [filename, entry] of Object.entries(index.files)) {
    const length = entry.sourceBytes + entry.codeBytes;
    cached.set(filename, { ...entry, bytes: bytes.subarray(offset, offset + length) });
    offset += length;
  }
  /** @type {Map<string, { version: string, source: string, script: Script }>} */
  const newScripts = new Map();

  const run = (module, /** @type {string} */ filename, /** @type {Script} */ script) => {
    const requireHere = Object.assign((/** @type {string} */ name) => module.require(name), {
      resolve: (name, options) => loader._resolveFilename(name, module, false, options),
      main: process.mainModule,
      cache: require.cache,
      extensions: require.extensions,
    });
    const { exports } = module;
    return script.runInThisContext().call(exports, exports, requireHere, module, filename, dirname(filename));
  };

  const compile = loader.prototype._compile;
  loader.prototype._compile = function (content, filename, format) {
    // A dynamic import fails in a script that V8 takes from its cache. Files outside of ROOT are written by tests and
    // change.
    if (format === 'module' || content.includes('import(') || !filename.startsWith(ROOT))
      return compile.call(this, content, filename, format);
    const source = Module.wrap(content);
    const script = new Script(source, { filename, columnOffset: -WRAPPER_LENGTH });
    newScripts.set(filename, { version: readVersion(filename), source, script });
    return run(this, filename, script);
  };

  const load = loader.prototype.load;
  loader.prototype.load = function (filename) {
    const entry = cached.get(filename);
    if (entry === undefined || entry.version !== readVersion(filename)) return load.call(this, filename);
    const source = entry.bytes.toString(entry.isLatin1 ? 'latin1' : 'utf8', 0, entry.sourceBytes);
    const cachedData = entry.bytes.subarray(entry.sourceBytes);
    const script = new Script(source, { filename, columnOffset: -WRAPPER_LENGTH, cachedData });
    if (script.cachedDataRejected) newScripts.set(filename, { version: entry.version, source, script });
    this.filename = filename;
    this.paths = loader._nodeModulePaths(dirname(filename));
    run(this, filename, script);
    this.loaded = true;
  };

  const resolve = loader._resolveFilename;
  loader._resolveFilename = (request, parent, isMain, options) => {
    const folder = parent?.path;
    if (options !== undefined || isMain || !folder?.startsWith(ROOT)) return resolve(request, parent, isMain, options);
    const cachedPath = names[folder]?.[request];
    // The path of a built-in module is only its name.
    const isValid = (file) => !isAbsolute(file) || cached.get(file)?.version === readVersion(file);
    if (cachedPath !== undefined && isValid(cachedPath)) return cachedPath;
    const resolvedPath = resolve(request, parent, isMain, options);
    names[folder] ??= {};
    names[folder][request] = resolvedPath;
    return resolvedPath;
  };

  process.on('exit', () => {
    if (newScripts.size === 0) return;
    // V8 rejects cached code whose flags differ from the flags of a new process. The edge changes this flag, so it is
    // set back.
    setFlagsFromString('--heap-growing-percent=0');
    for (const [filename, { version, source, script }] of newScripts) {
      const isLatin1 = !/[^\0-\xff]/.test(source);
      const text = Buffer.from(source, isLatin1 ? 'latin1' : 'utf8');
      const code = script.createCachedData();
      const entryBytes = Buffer.concat([text, code]);
      const lengths = { sourceBytes: text.length, codeBytes: code.length };
      cached.set(filename, { version, ...lengths, isLatin1, bytes: entryBytes });
    }
    const files = Object.fromEntries([...cached].map(([filename, { bytes: _bytes, ...entry }]) => [filename, entry]));
    const head = Buffer.from(JSON.stringify({ files, names, builtins: listLoadedBuiltins() }));
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(head.length);
    const temporary = `${path}.${process.pid}`;
    try {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(temporary, Buffer.concat([length, head, ...[...cached.values()].map((entry) => entry.bytes)]));
      renameSync(temporary, path);
    } catch {
      // Some tests limit the files that a program may write.
    }
  });
}

if (isMainThread) enableCache();
