import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Core } from '../../../testing/core';

type Fields = Record<string, unknown>;
interface Operation {
  parameters?: { in: string; name: string }[];
  requestBody?: { content: { 'application/json'?: { example?: Fields; schema?: { properties?: Fields } } } };
}
const document: { paths: Record<string, Record<string, Operation>> } = JSON.parse(
  readFileSync(join(__dirname, '../../../../openapi.json'), 'utf8'),
);

const WRONG_VALUES = [null, -7, 'x'.repeat(6_000), [7], { x: 7 }, Array(600).fill('x')];

/** Yields copies of `value`, in each of which one part is replaced by `wrongValue`. */
function* replaceEachPart(value: unknown, wrongValue: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    for (const replacement of [wrongValue, ...replaceEachPart(part, wrongValue)])
      yield Array.isArray(value) ? value.with(Number(name), replacement) : { ...value, [name]: replacement };
  }
}

function* createWrongBodies({ requestBody }: Operation): Generator<unknown> {
  const { example = {}, schema } = requestBody?.content['application/json'] ?? {};
  const unsetFields = Object.keys(schema?.properties ?? {}).filter((name) => !(name in example));
  for (const wrongValue of WRONG_VALUES) {
    yield* replaceEachPart(example, wrongValue);
    for (const name of unsetFields) yield { ...example, [name]: wrongValue };
  }
}

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
});
afterAll(() => core?.stop());

const ID = '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607';

/** Openings of zod's default messages, in English and Portuguese. */
const ZOD_OPENINGS =
  /^(?:Invalid|Too |Unrecognized|Entrada|Opção|Texto inv|Número inv|Chave|Valor de|Formato|Demasiado)/;

const listMessages = ({ error, fields }: { error: string; fields?: Record<string, string> }): string[] => [
  error,
  ...Object.values(fields ?? {}),
];

test("a field of a wrong type or size is refused with a message of the product, not one of zod's defaults", async () => {
  const zodMessages = new Map<string, string>();
  let refusalCount = 0;
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [name, operation] of Object.entries(operations)) {
      const [method, url] = [name.toUpperCase(), path.replace(/\{\w+\}/g, ID)];
      const queries = (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .flatMap((parameter) => ['-7', 'x'.repeat(6_000)].map((text) => `?${parameter.name}=${text}`));
      const requests = [
        ...queries.map((query) => ({ address: url + query, body: undefined })),
        ...[...createWrongBodies(operation)].map((body) => ({ address: url, body })),
      ];
      for (const { address, body } of requests) {
        const response = await core.request(method, address, { body });
        if (response.status !== 400) continue;
        refusalCount += 1;
        for (const message of listMessages(response.body))
          if (ZOD_OPENINGS.test(message)) zodMessages.set(message, `${method} ${address.slice(0, 80)}`);
      }
    }
  }
  expect(refusalCount).toBeGreaterThan(500);
  expect(Object.fromEntries(zodMessages)).toEqual({});
});

describe('every invalid field is named in one response', () => {
  test.each([
    ['POST', '/subdomains', { subdomain: 'www', type: 'proxy' }, ['description', 'port', 'subdomain']],
    [
      'POST',
      '/subdomains',
      { subdomain: 'a_b', type: 'tunnel', targetHost: '169.254.169.254' },
      ['description', 'subdomain', 'targetHost', 'targetPort'],
    ],
    ['POST', '/projects', { type: 'static', dbPrefix: 'é' }, ['dbPrefix', 'name', 'staticPath']],
    ['POST', '/tenants', { subdomain: 'a b', dbName: 'a b' }, ['dbName', 'name', 'project', 'subdomain']],
    ['POST', '/gateway/admin/services', { name: 'É', host: 'http://169.254.169.254' }, ['host', 'name']],
    [
      'POST',
      '/gateway/admin/keys',
      { permissions: ['x'], allowedIps: ['10.0.0.0/33'] },
      ['allowedIps', 'name', 'permissions'],
    ],
    [
      'POST',
      '/gateway/admin/routes',
      { origin: '/a', destination: '/a/:id', methods: [] },
      ['destination', 'methods', 'permission', 'serviceId'],
    ],
  ])('of %s %s with the body %j', async (method, path, body, fields) => {
    const response = await core.request(method, path, { body });
    expect([response.status, Object.keys(response.body.fields).sort()]).toEqual([400, fields]);
    expect(Object.values(response.body.fields)).toContain(response.body.error);
  });
});
