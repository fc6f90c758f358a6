import { safeParse } from 'valibot';
import {
  emptySubdomain,
  type SubdomainValues,
  subdomainChanges,
  subdomainInput,
  subdomainSchema,
} from './subdomainForm';

const filled = {
  ...emptySubdomain,
  subdomain: ' loja ',
  description: 'Loja',
  port: '4000',
  staticPath: '/srv/loja',
  apiPort: '4001',
  targetHost: 'app.exemplo.com.br',
  targetPort: '443',
};

test('sends only the fields of the chosen type, ports as numbers', () => {
  const common = { subdomain: 'loja', description: 'Loja' };
  expect(subdomainInput({ ...filled, type: 'proxy' })).toEqual({ ...common, type: 'proxy', port: 4000 });
  expect(subdomainInput({ ...filled, type: 'static' })).toEqual({
    ...common,
    type: 'static',
    staticPath: '/srv/loja',
    apiPort: 4001,
    spaFallback: true,
  });
  expect(subdomainInput({ ...filled, type: 'tunnel' })).toEqual({
    ...common,
    type: 'tunnel',
    targetHost: 'app.exemplo.com.br',
    targetPort: 443,
  });
});

test('leaves an empty API port out', () => {
  expect(subdomainInput({ ...filled, type: 'static', apiPort: '' })).not.toHaveProperty('apiPort');
});

test('a change sends null for an emptied field, so that its old value is removed', () => {
  expect(subdomainChanges({ ...filled, type: 'static', apiPort: '' })).toMatchObject({ apiPort: null });
  expect(subdomainChanges({ ...filled, type: 'proxy', port: '' })).toMatchObject({ port: null });
});

test('each type requires its own fields', () => {
  const missing = (values: Partial<SubdomainValues>) =>
    safeParse(subdomainSchema, { ...emptySubdomain, subdomain: 'loja', description: 'Loja', ...values }).issues?.map(
      ({ path }) => path?.at(-1)?.key,
    );
  expect(missing({})).toEqual(['port']);
  expect(missing({ type: 'static' })).toEqual(['staticPath']);
  expect(missing({ type: 'static', source: 'versions' })).toBeUndefined();
  expect(missing({ type: 'tunnel' })).toEqual(['targetHost', 'targetPort']);
});
