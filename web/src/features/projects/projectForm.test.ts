import { refusedFields } from '../../testing/refusedFields';
import { projectInput, projectSchema, projectValues } from './projectForm';

test('a save strips trailing underscores of the prefix and sends the port as a number', () => {
  const values = { ...projectValues(), name: ' CRM ', dbPrefix: 'crm__', apiPort: '4100', staticPath: '/srv/old' };
  expect(projectInput(values)).toEqual({
    name: 'CRM',
    dbPrefix: 'crm',
    type: 'proxy',
    apiPort: 4100,
    staticPath: null,
  });
});

test('the form requires the port of a proxy and the path of a static project', () => {
  expect(refusedFields(projectSchema, { ...projectValues(), name: 'CRM' })).toEqual(['apiPort']);
  expect(refusedFields(projectSchema, { ...projectValues(), name: 'CRM', type: 'static' })).toEqual(['staticPath']);
});
