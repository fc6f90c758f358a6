import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc } from '../../testing/properties';
import { compileStaticRules, parseStaticPath as parse, type StaticRules } from './static-root';

describe('static paths', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'static-root-')));
  const root = join(folder, 'sites');
  mkdirSync(join(root, 'loja'), { recursive: true });
  mkdirSync(join(folder, 'sites-secretos'));
  mkdirSync(join(folder, 'fora'));
  symlinkSync(join(folder, 'fora'), join(root, 'escape'));
  symlinkSync(join(root, 'loja'), join(root, 'atalho'));
  symlinkSync(root, join(folder, 'outro-nome'));
  symlinkSync(join(root, 'circulo'), join(root, 'circulo'));
  const otherFolders = { dataDir: join(folder, 'dados'), installation: join(folder, 'programa') };
  const parseStaticPath = (path: string, staticRoots: string[]) => parse(path, { ...otherFolders, staticRoots });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(['loja', 'loja/', './loja', 'atalho', 'ainda/nao/existe'])('%s inside the root is accepted', (path) => {
    expect(parseStaticPath(`${root}/${path}`, [root])).toBe(join(root, path).replace(/\/$/, ''));
  });

  test('a root may be a link, and a path may lead through a link', () => {
    expect(parseStaticPath(join(folder, 'outro-nome/loja'), [root])).toBeDefined();
    expect(parseStaticPath(join(root, 'loja'), [join(folder, 'outro-nome')])).toBeDefined();
  });

  test.each(['/', '/etc', 'loja', './loja', '', '../sites/loja'])('%j is refused (relative or outside)', (path) => {
    expect(parseStaticPath(path, [root])).toBeUndefined();
  });

  test('the root itself is accepted, and a loop of links is refused', () => {
    expect(parseStaticPath(root, [root])).toBe(root);
    expect(parseStaticPath(`${root}/circulo`, [root])).toBeUndefined();
  });

  test('links, dots and look-alike names do not lead out of the root', () => {
    expect(parseStaticPath(`${root}/escape`, [root])).toBeUndefined();
    expect(parseStaticPath(`${root}/escape/novo`, [root])).toBeUndefined();
    expect(parseStaticPath(`${root}/loja/../loja`, [root])).toBeUndefined();
    expect(parseStaticPath(`${folder}/sites-secretos`, [root])).toBeUndefined();
    expect(parseStaticPath(`${root}/a%2e%2e`, [root])).toBeUndefined();
    expect(parseStaticPath(`${root}/a\\b`, [root])).toBeUndefined();
    expect(parseStaticPath(`${root}/a\0b`, [root])).toBeUndefined();
  });

  test('every accepted path is inside the root', () => {
    const part = fc.constantFrom('..', '.', '', 'loja', 'escape', 'atalho', 'novo');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const path = parseStaticPath(`${root}/${parts.join('/')}`, [root]);
        if (path !== undefined)
          expect(/^\/(?!escape\/)/.test(`${path}/`.slice(root.length)) && path.startsWith(root)).toBe(true);
      }),
    );
  });
});

describe('static paths beside the data folder and the program', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'static-root-')));
  const inFolder = (path: string) => join(folder, path);
  for (const path of ['programa/data/sites/loja', 'programa/web', 'srv/loja'])
    mkdirSync(inFolder(path), { recursive: true });
  symlinkSync(inFolder('programa'), inFolder('srv/atalho'));
  symlinkSync(inFolder('srv'), inFolder('programa/data/sites/fora'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const rules: StaticRules = {
    staticRoots: [folder],
    dataDir: inFolder('programa/data'),
    installation: inFolder('programa'),
  };

  test.each(['', 'programa', 'programa/data', 'programa/data/edge', 'programa/web', 'srv/atalho', 'srv/atalho/data'])(
    '%j is refused, because its real path contains, or is inside, a folder that is never served',
    (path) => expect(parse(inFolder(path), rules)).toBeUndefined(),
  );

  test.each(['srv', 'srv/loja', 'programa/data/sites', 'programa/data/sites/loja', 'programa/data/sites/fora/loja'])(
    '%s is accepted',
    (path) => expect(parse(inFolder(path), rules)).toBe(inFolder(path)),
  );

  test('sites in the data folder need no entry in `STATIC_ROOTS`, and the entry `/` does not permit `/` itself', () => {
    expect(parse(inFolder('programa/data/sites/loja'), { ...rules, staticRoots: [] })).toBeDefined();
    expect(parse(inFolder('srv/loja'), { ...rules, staticRoots: [] })).toBeUndefined();
    expect(parse('/', { ...rules, staticRoots: ['/'] })).toBeUndefined();
  });

  test('the compiled rules permit a file by its real path, and refuse the database and the program', () => {
    const mayServe = compileStaticRules(rules);
    expect(mayServe(inFolder('srv/loja/index.html'))).toBe(true);
    expect(mayServe(inFolder('programa/data/sites/loja/index.html'))).toBe(true);
    expect(mayServe(inFolder('programa/data/studio.sqlite'))).toBe(false);
    expect(mayServe(inFolder('programa/package.json'))).toBe(false);
  });
});
