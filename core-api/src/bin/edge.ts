/** The primary process of the edge, which starts the workers (`edge-worker.ts`). */
import { runPrimary } from '../edge/process/primary';
import { readConfig } from '../platform/config';
import { failStart } from '../platform/lifecycle/start-failure';

try {
  // A rotation of the log may signal an edge that is still starting.
  process.on('SIGHUP', () => undefined);
  // New files get mode 0600.
  process.umask(0o077);
  runPrimary(readConfig(process.env)).catch((error: unknown) => failStart(error, 'PORT'));
} catch (error) {
  failStart(error, 'PORT');
}
