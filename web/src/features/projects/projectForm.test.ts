import { findRefusedFields } from '../../testing/refusedFields';
import { projectSchema, toProjectInput, toProjectValues } from './projectForm';

test('the input of a proxy project has a trimmed name and prefix, a port as a number, and no folder', () => {
  const values = { ...toProjectValues(), name: ' CRM ', dbPrefix: 'crm__', apiPort: '4100', staticPath: '/srv/old' };
  expect(toProjectInput(values)).toEqual({
    name: 'CRM',
    dbPrefix: 'crm',
    type: 'proxy',
    apiPort: 4100,
    staticPath: null,
  });
});

test('a port that is no whole number is sent as 0, which the server refuses at the field', () => {
  expect(toProjectInput({ ...toProjectValues(), apiPort: '1.5' }).apiPort).toBe(0);
});

test('the form requires a port for a proxy project, and a folder for a static project', () => {
  expect(findRefusedFields(projectSchema, { ...toProjectValues(), name: 'CRM' })).toEqual(['apiPort']);
  expect(findRefusedFields(projectSchema, { ...toProjectValues(), name: 'CRM', type: 'static' })).toEqual([
    'staticPath',
  ]);
});
