import { formatExample, toLevels, toScopes } from './scopes';

test('a level of access becomes the scopes that grant that level', () => {
  expect(toScopes({ tenants: 'read', projects: 'write', keys: 'delete', audit: 'none' })).toEqual([
    'projects:write',
    'tenants:read',
    'keys:write',
    'keys:delete',
  ]);
});

test('scopes become the levels of access that they grant', () => {
  const levels = { tenants: 'read', projects: 'write', keys: 'delete', audit: 'none' } as const;
  expect(toLevels(toScopes(levels))).toMatchObject(levels);
});

test('the example of a token calls REST and GraphQL, or publishes a site if the token has the scope deploy', () => {
  const commands = formatExample(['tenants:read'], 'stp_x', 'https://estudio.com');
  expect(commands.split('\n')).toHaveLength(2);
  expect(commands).toContain("-H 'Authorization: Bearer stp_x' https://estudio.com/api/me");
  expect(commands).toContain('https://estudio.com/graphql');
  expect(formatExample(['deploy'], 'stp_x', 'https://estudio.com')).toContain('https://estudio.com/api/deploy');
});
