import { safeParse } from 'valibot';
import { findDifferences } from '../../ui/form/state/conflict';
import { fieldLabels } from './fieldLabels';
import type { HostPolicyFragment } from './generated/host-policies';
import { policySchema, toPolicyInput, toPolicyValues } from './policyForm';

const emptyPolicy: HostPolicyFragment = {
  access: null,
  redirects: null,
  headers: null,
  noindex: null,
  rate: null,
  maxBodyMb: null,
  timeoutSeconds: null,
  maintenance: null,
  branding: null,
  switchedOff: [],
  version: 0,
};

test('unchanged rules are sent with their stored values', () => {
  const policy: HostPolicyFragment = {
    ...emptyPolicy,
    access: { ips: ['203.0.113.7', '198.51.100.0/24'], password: true, require: 'any' },
    redirects: [{ from: '/a/*', to: '/b/:splat', status: 302 }],
    headers: [{ name: 'Content-Security-Policy', value: "default-src 'self'; img-src https:" }],
    noindex: true,
    rate: { requests: 10, seconds: 60 },
    maintenance: { text: 'Obras', until: '2026-11-23T18:00:00.000Z', bypassIps: ['203.0.113.7'] },
    switchedOff: ['branding', 'maxBodyMb'],
  };
  const { version: _version, access, ...rest } = policy;
  expect(toPolicyInput(toPolicyValues(policy))).toEqual({
    ...rest,
    access: { ips: access?.ips, require: 'any', keepsPassword: true },
    switchedOff: expect.arrayContaining(['branding', 'maxBodyMb']),
  });
});

test('a typed password replaces the saved password, unless the saved password is removed', () => {
  const policy = { ...emptyPolicy, access: { ips: ['203.0.113.7'], password: true, require: 'all' as const } };
  const values = { ...toPolicyValues(policy), password: 'abre-te' };
  expect(toPolicyInput(values).access).toMatchObject({ password: 'abre-te' });
  expect(toPolicyInput({ ...values, removesPassword: true }).access).toEqual({
    ips: ['203.0.113.7'],
    require: 'all',
    keepsPassword: false,
  });
});

test('a redirect without a status has the status 301', () => {
  const values = { ...toPolicyValues(emptyPolicy), redirectsState: 'own' as const, redirects: '/velho /novo' };
  expect(toPolicyInput(values).redirects).toEqual([{ from: '/velho', to: '/novo', status: 301 }]);
});

test('an invalid redirect is reported with its line', () => {
  const values = { ...toPolicyValues(emptyPolicy), redirectsState: 'own' as const, redirects: '/velho /novo\n\n/a' };
  const reports = safeParse(policySchema, values).issues?.map(({ message }) => message);
  expect(reports).toEqual(['Linha 3: escreva o caminho, o destino e, se quiser, o status.']);
});

test('only the fields of rules that are on are validated', () => {
  const invalidValues = {
    password: 'abc',
    maintenanceText: ' ',
    redirects: '/a',
    headers: 'x',
    brandingAccent: 'azul',
  };
  const listInvalidFields = (state: 'own' | 'off') => {
    const states = Object.fromEntries(
      ['access', 'maintenance', 'redirects', 'headers', 'branding'].map((rule) => [`${rule}State`, state]),
    );
    const { issues } = safeParse(policySchema, { ...toPolicyValues(emptyPolicy), ...invalidValues, ...states });
    return issues?.map(({ path }) => path?.[0]?.key) ?? [];
  };
  expect(listInvalidFields('own')).toEqual(Object.keys(invalidValues));
  expect(listInvalidFields('off')).toEqual([]);
});

test('a password that another person has saved meanwhile is a conflict, so that a save does not remove it', () => {
  const access = { ips: ['203.0.113.7'], password: false, require: 'all' as const };
  const mine = toPolicyValues({ ...emptyPolicy, access });
  const theirs = toPolicyValues({ ...emptyPolicy, access: { ...access, password: true } });
  expect(findDifferences({ labels: fieldLabels }, mine, theirs, mine)).toEqual([
    { field: 'hasPassword', label: 'Senha', before: 'Não', theirs: 'Sim', mine: null },
  ]);
});
