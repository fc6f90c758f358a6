import { readConfig } from '../config';
import { failStart } from '../start-failure';
import { runPrimary } from './primary/primary';

try {
  // Files that it writes have mode 0600.
  process.umask(0o077);
  runPrimary(readConfig(process.env)).catch((error: unknown) => failStart(error, 'PORT'));
} catch (error) {
  failStart(error, 'PORT');
}
