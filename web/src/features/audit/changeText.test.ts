import type { AuditedEntity } from '../../generated/graph';
import { dateTimeText } from '../../ui/row/RelativeTime';
import { actionText, entityName, shownChanges, valueText } from './changeText';

const PROJECT = '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607';
const names = new Map([[PROJECT, 'CRM']]);
const textOf = (value: unknown, place: `${AuditedEntity}.${string}` = 'tenant.name') => {
  const [entity, field] = place.split('.') as [AuditedEntity, string];
  return valueText(JSON.stringify(value), { entity, field }, names);
};

describe('the values in the activity', () => {
  it('are shown as names, local times and limits in words', () => {
    expect(textOf(PROJECT)).toBe('CRM');
    expect(textOf('019a1b2c-3d4e-7f50-8a61-b2c3d4e5f600')).toBe('removido (019a1b2c)');
    expect(textOf('2026-01-15T12:30:00.000Z')).toBe(dateTimeText('2026-01-15T12:30:00.000Z'));
    expect(textOf({ requests: 5, seconds: 60 })).toBe('5 por minuto');
    expect(textOf({ requests: 1000, seconds: 90 })).toBe('1.000 a cada 90 segundos');
    expect(textOf(['GET', 'POST'])).toBe('GET, POST');
    for (const empty of [null, '', []]) expect(textOf(empty)).toBe('vazio');
    expect(textOf(true)).toBe('sim');
  });

  it('are translated only in the fields whose values are enumerations', () => {
    expect(textOf('serve', 'domain.wwwMode')).toBe('atende com e sem www');
    expect(textOf('target_down', 'alert_rule.kind')).toBe('Fora do ar');
    expect(textOf('operator', 'admin.role')).toBe('Operação');
    expect(textOf('alias', 'domain.role')).toBe('Adicional');
    expect(textOf([{ type: 'subdomain', id: PROJECT }], 'maintenance.subjects')).toBe('Tipo: Subdomínio, Nome: CRM');
    expect(textOf([0, 3], 'maintenance.weekdays')).toBe('domingo, quarta');
    expect(textOf({ ips: [], require: 'any' }, 'policy.access')).toBe('Exige: IP ou senha');
    for (const word of ['proxy', 'serve', 'target_down']) {
      expect(textOf(word, 'subdomain.subdomain')).toBe(word);
      expect(textOf(word, 'tenant.name')).toBe(word);
    }
    expect(entityName({ entity: 'alert_rule', name: 'target_down' })).toBe('Fora do ar');
    expect(entityName({ entity: 'subdomain', name: 'target_down' })).toBe('target_down');
  });

  it('leave out digests, and empty fields of a created entity', () => {
    const changes = ['digest', 'prefix', 'name', 'note'].map((field) => ({
      field,
      before: null,
      after: field === 'note' ? '""' : '"x"',
    }));
    const shown = (action: 'create' | 'update') =>
      shownChanges({ action, entity: 'key', changes }, names).map(({ field }) => field);
    expect(shown('create')).toEqual(['name']);
    expect(shown('update')).toEqual(['name', 'note']);
  });

  it('have a separate verb for a rotated key or a changed password', () => {
    const changesOf = (field: string) => [{ field, before: '"a"', after: '"b"' }];
    expect(actionText('update', changesOf('digest'))).toBe('trocou a chave');
    expect(actionText('update', changesOf('passwordHash'))).toBe('trocou a senha');
    expect(actionText('update', changesOf('name'))).toBe('alterou');
    expect(actionText('create', changesOf('digest'))).toBe('criou');
  });
});
