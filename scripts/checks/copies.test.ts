import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../testing/program';

const readSource = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

// The workspaces share contracts, not code (decision 149), so core and BFF have copies of these files.
test.each([
  ['drain.ts', 'lifecycle/drain.ts'],
  ['on-stop.ts', 'lifecycle/on-stop.ts'],
  ['reject-pipelining.ts', 'lifecycle/reject-pipelining.ts'],
  ['log/log-output.ts', 'log/log-output.ts'],
  ['http/process-metrics.ts', 'process-metrics.ts'],
])('bff/src/%s has the same text as core-api/src/platform/%s', (bffFile, coreFile) =>
  expect(readSource(`bff/src/${bffFile}`)).toBe(readSource(`core-api/src/platform/${coreFile}`)),
);

test("the BFF has the core's code for non-blocking output, without the constant for standard error", () => {
  const coreText = readSource('core-api/src/platform/log/non-blocking.ts');
  expect(readSource('bff/src/log/non-blocking.ts')).toBe(coreText.replace('export const STDERR = 2;\n', ''));
});
