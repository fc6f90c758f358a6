/** The primary process of the edge, which starts the workers (`edge-worker.ts`). */
import { setFlagsFromString } from 'node:v8';
import { runPrimary } from '../edge/process/primary';
import { readConfig } from '../platform/config';
import { failStart } from '../platform/lifecycle/start-failure';

// Growth of the old generation, in percent, before the next full collection. By default V8 lets it more than double, which the
// primary does with the garbage of the rows that it reads at its first start.
setFlagsFromString('--heap-growing-percent=50');

try {
  // A rotation of the log may signal an edge that is still starting.
  process.on('SIGHUP', () => undefined);
  // New files get mode 0600.
  process.umask(0o077);
  runPrimary(readConfig(process.env)).catch((error: unknown) => failStart(error, 'PORT'));
} catch (error) {
  failStart(error, 'PORT');
}
