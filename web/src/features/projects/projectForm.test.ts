import { findRefusedFields } from '../../testing/refusedFields';
import { projectSchema, toProjectInput, toProjectValues } from './projectForm';

test('a save strips trailing underscores of the prefix and sends the port as a number', () => {
  const values = { ...toProjectValues(), name: ' CRM ', dbPrefix: 'crm__', apiPort: '4100', staticPath: '/srv/old' };
  expect(toProjectInput(values)).toEqual({
    name: 'CRM',
    dbPrefix: 'crm',
    type: 'proxy',
    apiPort: 4100,
    staticPath: null,
  });
});

test('the form requires the port of a proxy and the path of a static project', () => {
  expect(findRefusedFields(projectSchema, { ...toProjectValues(), name: 'CRM' })).toEqual(['apiPort']);
  expect(findRefusedFields(projectSchema, { ...toProjectValues(), name: 'CRM', type: 'static' })).toEqual([
    'staticPath',
  ]);
});
