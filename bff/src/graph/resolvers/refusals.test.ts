import { type Entity, GraphStack, MISSING_ID } from '../../testing/graph-stack';
import { createSampleVariables } from '../../testing/sample-variables';
import { documentsByField } from '../../testing/whole-graph';

let graph: GraphStack;

beforeAll(async () => {
  graph = await GraphStack.start();
});
afterAll(() => graph.stop());

test('an outdated change fails with PRECONDITION_FAILED, and a change of a missing entity with NOT_FOUND', async () => {
  const input = { name: 'Versões', type: 'proxy', apiPort: 7070 };
  const { _id: id } = await graph.run<Entity>('createProject', { input });
  const changedInput = { ...input, apiPort: 7071 };
  expect(await graph.run('updateProject', { id, input: changedInput, version: 1 })).toMatchObject({ version: 2 });
  const refusedUpdate = await graph.request('updateProject', { id, input, version: 1 });
  expect(refusedUpdate.errors).toMatchObject([
    { extensions: { code: 'PRECONDITION_FAILED', error: expect.stringContaining('Outra pessoa') } },
  ]);
  expect(await graph.run('updateProject', { id, input })).toMatchObject({ version: 3 });
  await graph.run('createSubdomain', {
    input: { subdomain: 'versoes', description: 'x', type: 'proxy', port: 8085 },
  });
  const changes: [string, object][] = [
    ['updateSubdomain', { subdomain: 'versoes', input: { description: 'x' } }],
    ['updateSettings', { input: { telegramChatId: '43' } }],
  ];
  for (const [field, variables] of changes) {
    const { errors } = await graph.request(field, { ...variables, version: 99 });
    expect([field, errors]).toMatchObject([field, [{ extensions: { code: 'PRECONDITION_FAILED' } }]]);
  }
  const updatesOfMissingEntities = [
    ['updateTenant', { name: 'a' }],
    ['updateApiKey', { name: 'a' }],
    ['updateGatewayService', { name: 'a' }],
    ['updateGatewayRoute', { permission: 'a:b' }],
  ] as const;
  for (const [field, change] of updatesOfMissingEntities) {
    const { errors } = await graph.request(field, { id: MISSING_ID, input: change, version: 1 });
    expect([field, errors]).toMatchObject([field, [{ extensions: { code: 'NOT_FOUND' } }]]);
  }
});

test('the error for invalid input names the invalid fields', async () => {
  const { status, errors } = await graph.request('createSubdomain', {
    input: { subdomain: 'a', description: 'x', type: 'proxy', port: 0 },
  });
  expect(status).toBe(200);
  expect(errors).toMatchObject([
    {
      extensions: {
        code: 'BAD_USER_INPUT',
        error: expect.any(String),
        fields: { port: expect.any(String) },
      },
    },
  ]);
});

test('a taken name is reported as CONFLICT, and an unknown id as NOT_FOUND', async () => {
  const input = { subdomain: 'tomado', description: 'x', type: 'proxy', port: 8085 };
  await graph.run('createSubdomain', { input });
  const conflict = await graph.request('createSubdomain', { input });
  expect(conflict.errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
  const missingDelete = await graph.request('deleteTenant', { id: MISSING_ID });
  expect(missingDelete.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
});

test('reading the manifest of a service that does not respond fails with UPSTREAM_FAILED', async () => {
  const service = await graph.run<Entity>('createGatewayService', {
    input: { name: 'morto', host: 'http://127.0.0.1:9' },
  });
  const { errors } = await graph.request('manifest', { serviceId: service._id });
  expect(errors).toMatchObject([
    { extensions: { code: 'UPSTREAM_FAILED', error: expect.any(String), details: expect.any(String) } },
  ]);
});

test('the error of a wrong password has the text of the core', async () => {
  const { status, errors } = await graph.request('login', { username: 'admin', password: 'errada' }, '');
  expect(status).toBe(401);
  expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED', error: 'Usuário ou senha inválidos.' } }]);
});

test.each(
  [...documentsByField.keys()].filter(
    (field) => !['installation', 'login', 'sendContactMessage', 'setupAdmin'].includes(field),
  ),
)('%s is refused without a valid token', async (field) => {
  const variables = createSampleVariables(field);
  const { status, errors } = await graph.request(field, variables, 'errado');
  expect(errors).toMatchObject([{ path: [field], extensions: { code: 'UNAUTHENTICATED' } }]);
  expect(status).toBe(401);
  // Without a token, the document is refused before its validation.
  const anonymous = await graph.request(field, variables, '');
  expect(anonymous).toMatchObject({ status: 401, errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
});
