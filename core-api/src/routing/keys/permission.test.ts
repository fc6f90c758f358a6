import { fc } from '../../testing/properties';
import { compilePermissions, isKeyPermission, isRoutePermission } from './permission';

const part = fc.stringMatching(/^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,19}$/);

describe('permissions', () => {
  test('a key may have `*` or `resource:*` in place of the `resource:action` that a route requires', () => {
    fc.assert(
      fc.property(part, part, (resource, action) => {
        expect(isRoutePermission(`${resource}:${action}`)).toBe(true);
        expect(isKeyPermission(`${resource}:${action}`)).toBe(true);
        expect(isKeyPermission(`${resource}:*`)).toBe(true);
        expect(isRoutePermission(`${resource}:*`)).toBe(false);
      }),
    );
    expect(isKeyPermission('*')).toBe(true);
    expect(isRoutePermission('*')).toBe(false);
    expect(isRoutePermission('usuários:ler')).toBe(true);
  });

  test.each(['', ':', 'a', 'a:', ':b', 'a:b:c', '*:*', '*:a', 'a b:c', 'a:b\n', 'a:**', `a:${'b'.repeat(99)}`])(
    '%j is not a permission',
    (text) => {
      expect(isKeyPermission(text)).toBe(false);
      expect(isRoutePermission(text)).toBe(false);
    },
  );

  test('a list of permissions grants single actions, whole resources, or everything', () => {
    fc.assert(
      fc.property(part, part, part, part, (resource, action, otherResource, otherAction) => {
        const permission = `${resource}:${action}`;
        const otherPermission = `${otherResource}:${otherAction}`;
        expect(compilePermissions(['*'])(permission)).toBe(true);
        expect(compilePermissions([`${resource}:*`])(permission)).toBe(true);
        expect(compilePermissions([permission])(permission)).toBe(true);
        expect(compilePermissions([])(permission)).toBe(false);
        expect(compilePermissions([otherPermission])(permission)).toBe(otherPermission === permission);
        expect(compilePermissions([`${otherResource}:*`])(permission)).toBe(otherResource === resource);
      }),
    );
    expect(compilePermissions(['r:le'])('r:ler')).toBe(false);
  });
});
