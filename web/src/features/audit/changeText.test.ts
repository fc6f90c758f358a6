import type { AuditedEntity } from '../../generated/graph';
import { formatDateTime } from '../../ui/cells/RelativeTime';
import { chooseVerb, formatJson, getEntityName, selectChanges } from './changeText';

const PROJECT = '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607';
const names = new Map([[PROJECT, 'CRM']]);
const format = (value: unknown, fieldPath: `${AuditedEntity}.${string}` = 'tenant.name') => {
  const [entity, field] = fieldPath.split('.') as [AuditedEntity, string];
  return formatJson(JSON.stringify(value), { entity, field }, names);
};

describe('the activity', () => {
  test('shows ids as names, instants as local times, and limits in words', () => {
    expect(format(PROJECT)).toBe('CRM');
    expect(format('019a1b2c-3d4e-7f50-8a61-b2c3d4e5f600')).toBe('removido (019a1b2c)');
    expect(format('2026-01-15T12:30:00.000Z')).toBe(formatDateTime('2026-01-15T12:30:00.000Z'));
    expect(format({ requests: 5, seconds: 60 })).toBe('5 por minuto');
    expect(format({ requests: 1000, seconds: 90 })).toBe('1.000 a cada 90 segundos');
    expect(format(['GET', 'POST'])).toBe('GET, POST');
    for (const empty of [null, '', []]) expect(format(empty)).toBe('vazio');
    expect(format(true)).toBe('sim');
  });

  test('translates values only in fields that are enumerations', () => {
    expect(format('serve', 'domain.wwwMode')).toBe('atende com e sem www');
    expect(format('target_down', 'alert_rule.kind')).toBe('Fora do ar');
    expect(format('operator', 'admin.role')).toBe('Operação');
    expect(format('alias', 'domain.role')).toBe('Adicional');
    expect(format([{ type: 'subdomain', id: PROJECT }], 'maintenance.subjects')).toBe('Tipo: Subdomínio, Nome: CRM');
    expect(format([0, 3], 'maintenance.weekdays')).toBe('domingo, quarta');
    expect(format({ ips: [], require: 'any' }, 'policy.access')).toBe('Exige: IP ou senha');
    for (const word of ['proxy', 'serve', 'target_down']) {
      expect(format(word, 'subdomain.subdomain')).toBe(word);
      expect(format(word, 'tenant.name')).toBe(word);
    }
    expect(getEntityName({ entity: 'alert_rule', name: 'target_down' }, names)).toBe('Fora do ar');
    expect(getEntityName({ entity: 'subdomain', name: 'target_down' }, names)).toBe('target_down');
  });

  test('hides the digest and the prefix of a key, and the empty fields of a new key', () => {
    const changes = ['digest', 'prefix', 'name', 'note'].map((field) => ({
      field,
      before: null,
      after: field === 'note' ? '""' : '"x"',
    }));
    const listShownFields = (action: 'create' | 'update') =>
      selectChanges({ action, entity: 'key', changes }, names).map(({ field }) => field);
    expect(listShownFields('create')).toEqual(['name']);
    expect(listShownFields('update')).toEqual(['name', 'note']);
  });

  test('chooses the verb by the action and the changed field', () => {
    const toChanges = (field: string) => [{ field, before: '"a"', after: '"b"' }];
    expect(chooseVerb('update', toChanges('digest'))).toBe('trocou a chave');
    expect(chooseVerb('update', toChanges('passwordHash'))).toBe('trocou a senha');
    expect(chooseVerb('update', toChanges('name'))).toBe('alterou');
    expect(chooseVerb('create', toChanges('digest'))).toBe('criou');
  });
});
