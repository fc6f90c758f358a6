import { refusalText } from '../../lib/refusal.messages';
import { subjectOf } from '../../lib/useShowRequests';
import { durationText, explanation, keyedRows, totalWeight } from './requestRows';

const row = (at: string, requestId = 'r', weight = 1) => ({ at, requestId, weight, status: 200 });

test('the address says what they are of, and anything else is nothing', () => {
  expect(subjectOf('chave-019a-b', 'Loja')).toEqual({ kind: 'chave', id: '019a-b', name: 'Loja' });
  expect(subjectOf('tenant-1')).toEqual({ kind: 'tenant', id: '1', name: '' });
  expect(subjectOf('todas', 'x')).toEqual({ kind: 'todas', id: '', name: '' });
  for (const text of [null, '', 'outra-1', 'chaves']) expect(subjectOf(text)).toBeNull();
});

test('says why it was refused, that the service answered so, or that the caller left', () => {
  expect(explanation({ status: 401, reason: 'expired' })).toBe('Chave expirada');
  expect(explanation({ status: 500, reason: null })).toBe('Resposta do serviço');
  expect(explanation({ status: 499 })).toBe('Quem chamou desistiu');
  expect(explanation({ status: 200, reason: null })).toBeUndefined();
  expect(refusalText('some_new_reason')).toBe('some_new_reason');
});

test('a row keeps its key while others come before it, and no two have the same', () => {
  const before = keyedRows([row('2'), row('1'), row('1')]);
  const after = keyedRows([row('3'), row('2'), row('1'), row('1')]);
  expect(after.slice(1).map(({ key }) => key)).toEqual(before.map(({ key }) => key));
  expect(new Set(after.map(({ key }) => key)).size).toBe(4);
});

test('sums what a sample stands for, and shows durations as people say them', () => {
  expect(totalWeight([row('1', 'a', 20), row('2')])).toBe(21);
  expect([durationText(12), durationText(1530)]).toEqual(['12 ms', '1,5 s']);
});
