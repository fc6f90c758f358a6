/**
 * Checks that references exist:
 * - in documents: links, file names and modules (`platform/net/address`)
 * - in comments: documents and paths of modules
 * - in documents and comments: sections of contract.md and product.md ("contract §5"), and decisions ("decision 107")
 * - in docstrings: parameters
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file && existsSync(file));
const isDocument = (file) => file.endsWith('.md');
const isCode = (file) => /\.(?:[cm]?[jt]sx?|graphql|css)$/.test(file) && !file.startsWith('scripts/checks/references');

/** Paths that a build or a run creates. Documents name them, but the repository does not contain them. */
const CREATED_PATHS = /(?:^|\/)(?:dist|build|data|generated|node_modules|DATA_DIR)(?:\/|$)/;
const sections = Object.fromEntries(
  ['contract', 'product'].map((name) => [
    name,
    new Set([...readFileSync(`docs/${name}.md`, 'utf8').matchAll(/^## (\d+)\./gm)].map(([, number]) => number)),
  ]),
);

const decisions = new Set(files.flatMap((file) => /^docs\/decisions\/(\d+)-/.exec(file)?.[1] ?? []));

/** Whether a path in `file` is created later, exists relative to the file or root, or is the end of a known path. */
const exists = (path, file) =>
  CREATED_PATHS.test(path) ||
  existsSync(join(dirname(file), path)) ||
  existsSync(path) ||
  files.some((knownPath) => knownPath.endsWith(`/${path}`));

/** Source folders. In documents, a path that begins with one of their subfolders names a module or a folder. */
const SOURCES = ['web/src', 'bff/src', 'core-api/src'];
const folders = new Set(
  SOURCES.flatMap((source) => readdirSync(source, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name),
);
/** Names of OpenTelemetry protocols, which look like modules. */
const PROTOCOL_NAMES = new Set(['http/protobuf', 'http/json']);
/** Finds names of modules and folders, without an extension, that do not exist. */
const findMissingModules = (text) =>
  [...text.matchAll(/`([a-z]+(?:\/[\w.-]+)+)`/g)]
    .map(([, path]) => path)
    .filter((path) => folders.has(path.split('/', 1)[0]) && !PROTOCOL_NAMES.has(path))
    .filter(
      (path) =>
        !SOURCES.some((source) => ['', '.ts', '.tsx'].some((ending) => existsSync(join(source, path + ending)))),
    );

/** Finds the comment in a line of code, without imports of types, which the compiler checks. */
const findComment = (line) =>
  (/(?:^\s*(?:\/\*)?\*|\/\/|\/\*|#).*/.exec(line)?.[0] ?? '').replace(/\bimport\('[^']*'\)/g, '');

let missingCount = 0;
function reportMissing(file, line, description) {
  missingCount += 1;
  console.log(`${file}:${line}: ${description}`);
}

/**
 * Collects the names of all parameters below a node, and of the properties that parameters destructure or declare. A
 * destructured parameter takes the name of the `@param` tag at its position, if that tag declares a type.
 */
function collectParameterNames(node, tags) {
  const names = new Set();
  const collect = (child) => {
    const isNamed = ts.isParameter(child) || ts.isBindingElement(child) || ts.isPropertySignature(child);
    if (isNamed && ts.isIdentifier(child.name)) names.add(child.name.text);
    else if (ts.isParameter(child)) {
      const tag = tags[child.parent.parameters.indexOf(child)];
      if (tag?.typeExpression) names.add(tag.name.text);
    }
    ts.forEachChild(child, collect);
  };
  collect(node);
  return names;
}

function checkParameters(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node) => {
    const comments = node.getChildren(source).filter(ts.isJSDoc);
    const tags = comments.flatMap((comment) => comment.tags?.filter(ts.isJSDocParameterTag) ?? []);
    const names = tags.length > 0 && collectParameterNames(node, tags);
    for (const tag of tags) {
      const name = tag.name.getText(source).split('.', 1)[0];
      const { line } = source.getLineAndCharacterOfPosition(tag.getStart(source));
      if (!names.has(name)) reportMissing(file, line + 1, `parameter ${name} does not exist`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}
const usesTag = (file) => /\.[cm]?[jt]sx?$/.test(file) && readFileSync(file, 'utf8').includes('@param');
for (const file of files.filter(usesTag)) checkParameters(file);

for (const file of files.filter((path) => isDocument(path) || isCode(path))) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const text = isDocument(file) ? line : findComment(line);
    const paths = [...text.matchAll(/(?<![\w/.@-])(?:[\w.@-]+\/)*[\w-][\w.-]*\.md\b/g)].map(([path]) => path);
    if (isDocument(file)) {
      paths.push(...[...line.matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, path]) => path));
      paths.push(...[...line.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.[a-z]+)`/g)].map(([, path]) => path));
    } else {
      paths.push(
        ...[...text.matchAll(/(?<![\w/.@-])(?:[\w.@-]+\/)+[\w.-]+\.(?:[cm]?[jt]sx?|graphql)\b/g)].map(([path]) => path),
      );
    }
    if (isDocument(file))
      for (const path of findMissingModules(line)) reportMissing(file, index + 1, `${path} does not exist`);
    for (const path of new Set(paths))
      if (!exists(path, file)) reportMissing(file, index + 1, `${path} does not exist`);
    for (const [reference, name, number] of text.matchAll(/\b(contract|product) §(\d+)/gi)) {
      if (!sections[name.toLowerCase()].has(number)) reportMissing(file, index + 1, `${reference} does not exist`);
    }
    for (const [reference, number] of text.matchAll(/\bdecisions?[ /](\d+)\b/gi)) {
      if (!decisions.has(number)) reportMissing(file, index + 1, `${reference} does not exist`);
    }
  }
}
process.exit(missingCount === 0 ? 0 : 1);
