/**
 * Programs that tests run from their source load this file with `--require`. The file compiles TypeScript with swc, as
 * Jest does. Each version of a file is compiled once, because every core and every process of an edge loads about 200 files.
 */
const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { isMainThread } = require('node:worker_threads');

const FOLDER = join(__dirname, '../../node_modules/.cache/studio-programs');
/** @type {import('@swc/core').Options} */
const OPTIONS = {
  swcrc: false,
  sourceMaps: true,
  module: { type: 'commonjs', ignoreDynamic: true },
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};
const VERSION = JSON.stringify([OPTIONS, require('@swc/core/package.json').version]);

mkdirSync(FOLDER, { recursive: true });

function readCached(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Renames a complete file into place, because several processes compile at the same time. */
function writeAtomically(path, text) {
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    // A program that runs as another user cannot write into the cache.
    if (error.code !== 'EACCES') throw error;
  }
}

const COMPILE = 'process.stdout.write(require(process.argv[1]).compile(process.argv[2]))';

function compile(filename) {
  const source = readFileSync(filename, 'utf8');
  const key = createHash('sha256').update(VERSION).update(filename).update('\0').update(source).digest('hex');
  const path = join(FOLDER, `${key}.js`);
  const compiled = readCached(path);
  if (compiled !== undefined) return compiled;
  // A thread that has loaded swc can end its process with SIGSEGV when it is terminated.
  if (!isMainThread)
    return execFileSync(process.execPath, ['--eval', COMPILE, __filename, filename], { encoding: 'utf8' });
  const { code, map } = require('@swc/core').transformSync(source, { ...OPTIONS, filename });
  // Node reads the map only with `NODE_OPTIONS=--enable-source-maps`.
  writeAtomically(`${path}.map`, map);
  const program = `${code}//# sourceMappingURL=${pathToFileURL(path)}.map\n`;
  writeAtomically(path, program);
  return program;
}

require.extensions['.ts'] = (module, filename) => Object(module)._compile(compile(filename), filename);

module.exports = { compile };
