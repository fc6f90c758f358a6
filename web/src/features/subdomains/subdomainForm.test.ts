import { safeParse } from 'valibot';
import {
  emptySubdomain,
  type SubdomainValues,
  subdomainChanges,
  subdomainSchema,
  toSubdomainInput,
} from './subdomainForm';

const filledValues = {
  ...emptySubdomain,
  subdomain: ' loja ',
  description: 'Loja',
  port: '4000',
  staticPath: '/srv/loja',
  apiPort: '4001',
  targetHost: 'app.exemplo.com.br',
  targetPort: '443',
};

test('a new subdomain is sent with the fields of the chosen type only, ports as numbers', () => {
  const common = { subdomain: 'loja', description: 'Loja' };
  expect(toSubdomainInput({ ...filledValues, type: 'proxy' })).toEqual({ ...common, type: 'proxy', port: 4000 });
  expect(toSubdomainInput({ ...filledValues, type: 'static' })).toEqual({
    ...common,
    type: 'static',
    staticPath: '/srv/loja',
    apiPort: 4001,
    spaFallback: true,
  });
  expect(toSubdomainInput({ ...filledValues, type: 'tunnel' })).toEqual({
    ...common,
    type: 'tunnel',
    targetHost: 'app.exemplo.com.br',
    targetPort: 443,
  });
});

test('an empty API port is left out', () => {
  expect(toSubdomainInput({ ...filledValues, type: 'static', apiPort: '' })).not.toHaveProperty('apiPort');
});

test('a change sends null for an emptied field, so that its old value is removed', () => {
  expect(subdomainChanges({ ...filledValues, type: 'static', apiPort: '' })).toMatchObject({ apiPort: null });
  expect(subdomainChanges({ ...filledValues, type: 'proxy', port: '' })).toMatchObject({ port: null });
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
