import { VIA_NAME_VARIABLE } from '../edge/ipc/messages';
import { Worker } from '../edge/process/worker';
import { readConfig } from '../platform/config/config';
import { failStart } from '../platform/lifecycle/start-failure';

// Workers are a separate program, because they do not need the database code, which is most of the code of the primary.
try {
  // A terminal signals the whole process group, but only the primary decides when to drain.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.umask(0o077);
  new Worker(readConfig(process.env), process.env[VIA_NAME_VARIABLE] ?? '').start();
} catch (error) {
  failStart(error, 'PORT');
}
