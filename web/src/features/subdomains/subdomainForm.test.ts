import { safeParse } from 'valibot';
import {
  emptySubdomain,
  type SubdomainValues,
  subdomainSchema,
  toSubdomainChanges,
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

test('a new subdomain is sent with only the fields of its type, and with ports as numbers', () => {
  const sharedInput = { subdomain: 'loja', description: 'Loja' };
  expect(toSubdomainInput({ ...filledValues, type: 'proxy' })).toEqual({ ...sharedInput, type: 'proxy', port: 4000 });
  expect(toSubdomainInput({ ...filledValues, type: 'static' })).toEqual({
    ...sharedInput,
    type: 'static',
    staticPath: '/srv/loja',
    apiPort: 4001,
    spaFallback: true,
  });
  expect(toSubdomainInput({ ...filledValues, type: 'tunnel' })).toEqual({
    ...sharedInput,
    type: 'tunnel',
    targetHost: 'app.exemplo.com.br',
    targetPort: 443,
  });
});

test('a new subdomain is sent without an empty API port', () => {
  expect(toSubdomainInput({ ...filledValues, type: 'static', apiPort: '' }).apiPort).toBeUndefined();
});

test('a changed subdomain is sent with null for an emptied field, so that the old value is removed', () => {
  expect(toSubdomainChanges({ ...filledValues, type: 'static', apiPort: '' })).toMatchObject({ apiPort: null });
  expect(toSubdomainChanges({ ...filledValues, type: 'proxy', port: '' })).toMatchObject({ port: null });
});

test('an API port that is no whole number is sent as 0, which the server refuses, and does not remove the old port', () => {
  expect(toSubdomainInput({ ...filledValues, type: 'static', apiPort: '1.5' }).apiPort).toBe(0);
  expect(toSubdomainChanges({ ...filledValues, type: 'static', apiPort: '1.5' })).toMatchObject({ apiPort: 0 });
});

test('each type of subdomain requires its own fields', () => {
  const findMissing = (values: Partial<SubdomainValues>) =>
    safeParse(subdomainSchema, { ...emptySubdomain, subdomain: 'loja', description: 'Loja', ...values }).issues?.map(
      ({ path }) => path?.at(-1)?.key,
    );
  expect(findMissing({})).toEqual(['port']);
  expect(findMissing({ type: 'static' })).toEqual(['staticPath']);
  expect(findMissing({ type: 'static', source: 'versions' })).toBeUndefined();
  expect(findMissing({ type: 'tunnel' })).toEqual(['targetHost', 'targetPort']);
});
