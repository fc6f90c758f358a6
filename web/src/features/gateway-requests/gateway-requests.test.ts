import { formatDuration } from '../../lib/format/duration';
import { describeRefusal } from '../../lib/gateway/refusal.messages';
import { parseSubject } from '../../lib/routing/useShowRequests';
import { addRowKeys, explainFailure, sumWeights } from './requestRows';

const createRow = (at: string, requestId = 'r', weight = 1) => ({ at, requestId, weight, status: 200 });

test('the subject of the requests is read from the URL, and an invalid subject is read as null', () => {
  expect(parseSubject('chave-019a-b', 'Loja')).toEqual({ kind: 'chave', id: '019a-b', name: 'Loja' });
  expect(parseSubject('tenant-1')).toEqual({ kind: 'tenant', id: '1', name: '' });
  expect(parseSubject('todas', 'x')).toEqual({ kind: 'todas', id: '', name: '' });
  for (const text of [null, '', 'outra-1', 'chaves']) expect(parseSubject(text)).toBeNull();
});

test('a failed request is explained by its refusal, the response of the service, or the disconnect of the client', () => {
  expect(explainFailure({ status: 401, reason: 'expired' })).toBe('Chave expirada');
  expect(explainFailure({ status: 500, reason: null })).toBe('Resposta do serviço');
  expect(explainFailure({ status: 499 })).toBe('Quem chamou desistiu');
  expect(explainFailure({ status: 200, reason: null })).toBeUndefined();
  expect(describeRefusal('some_new_reason')).toBe('some_new_reason');
});

test('a row keeps its unique React key when newer rows arrive', () => {
  const before = addRowKeys([createRow('2'), createRow('1'), createRow('1')]);
  const after = addRowKeys([createRow('3'), createRow('2'), createRow('1'), createRow('1')]);
  expect(after.slice(1).map(({ key }) => key)).toEqual(before.map(({ key }) => key));
  expect(new Set(after.map(({ key }) => key)).size).toBe(4);
});

test('weights of sampled requests are summed up, and durations have a unit', () => {
  expect(sumWeights([createRow('1', 'a', 20), createRow('2')])).toBe(21);
  expect([formatDuration(12), formatDuration(1530)]).toEqual(['12 ms', '1,5 s']);
});
