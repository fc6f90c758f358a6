import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseStaticPath } from './static-root';

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
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(['loja', 'loja/', './loja', 'atalho', 'ainda/nao/existe'])('%s inside the root passes', (path) => {
    expect(parseStaticPath(`${root}/${path}`, [root])).toBe(join(root, path).replace(/\/$/, ''));
  });

  test('a root may be reached, and given, by a link', () => {
    expect(parseStaticPath(join(folder, 'outro-nome/loja'), [root])).toBeDefined();
    expect(parseStaticPath(join(root, 'loja'), [join(folder, 'outro-nome')])).toBeDefined();
  });

  test.each(['/', '/etc', 'loja', './loja', '', '../sites/loja'])('%s is refused', (path) => {
    expect(parseStaticPath(path, [root])).toBeUndefined();
  });

  test('the root itself passes; a loop of links is refused', () => {
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

  test('nothing that passes lies outside', () => {
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
