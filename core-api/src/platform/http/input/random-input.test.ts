import { Core } from '../../../testing/core';
import { readDocumentedOperations } from '../../../testing/operations';
import { fc } from '../../../testing/properties';

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
});
afterAll(() => core?.stop());

test('random input is answered with a status that the OpenAPI document declares', async () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('../..', '<img onerror=x>', "' OR 1=1 --", '\u0000', '%', 'a'.repeat(6000)),
  );
  const value = fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.double(),
    fc.constant(null),
    fc.boolean(),
    fc.array(text, { maxLength: 3 }),
    fc.dictionary(text, text, { maxKeys: 2 }),
  );
  const fields = [
    'name',
    'username',
    'password',
    'subdomain',
    'description',
    'type',
    'port',
    'staticPath',
    'targetHost',
    'dbPrefix',
    'apiPort',
    'project',
    'domain',
    'permissions',
    'allowedIps',
    'host',
    'origin',
    'destination',
    'methods',
    'permission',
    'serviceId',
    'routes',
    'email',
    'message',
    'telegramBotToken',
    'existingSubdomains',
    '_id',
    'createdAt',
    '__proto__',
    'constructor',
  ];
  const body = fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 8 });
  // `/me/password` and `/logout` would end the session of the test, and `/settings/test` could call Telegram.
  const excludedPaths = ['/me/password', '/settings/test', '/logout'];
  const writes = (await readDocumentedOperations(core)).filter(
    ({ method, path }) => method !== 'GET' && !excludedPaths.includes(path),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...writes), body, async ({ method, path, statuses }, requestBody) => {
      const response = await core.request(method, path, { body: requestBody });
      expect([method, path, statuses]).toEqual([method, path, expect.arrayContaining([String(response.status)])]);
      if (response.status >= 400) {
        expect(response.body).toEqual({
          error: expect.any(String),
          ...(response.body.fields && { fields: expect.any(Object) }),
          ...(response.body.details && { details: expect.any(String) }),
          ...(response.body.required && { required: { role: expect.any(String), scope: expect.any(String) } }),
        });
        expect(JSON.stringify(response.body)).not.toContain('onerror');
      }
    }),
    { numRuns: 400 },
  );
});
