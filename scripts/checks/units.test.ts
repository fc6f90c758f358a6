import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../testing/program';

const UNITS = join(ROOT, 'scripts/deploy/systemd');

/** Reads the values of a setting in systemd's order: first the unit, then its drop-in. The last value takes effect. */
function readValues(unit: string, setting: string): string[] {
  const texts = [unit, 'studio-.service.d/confinement.conf'].map((file) => readFileSync(join(UNITS, file), 'utf8'));
  return texts.flatMap((text) =>
    [...text.matchAll(new RegExp(`^${setting}=(.*)$`, 'gm'))].map(([, value = '']) => value),
  );
}

test.each(['studio-core.service', 'studio-bff.service', 'studio-edge.service'])(
  'journald has no rate limit for the lines of %s',
  (unit) => expect(readValues(unit, 'LogRateLimitIntervalSec').at(-1)).toBe('0'),
);
