import { readConfig } from '../../config';
import { failStart } from '../../start-failure';
import { NAME_VARIABLE } from '../messages';
import { runWorker } from './worker';

// A program of its own, since the database, which no worker sees, is most of what the primary loads.
try {
  process.umask(0o077);
  runWorker(readConfig(process.env), process.env[NAME_VARIABLE] ?? '');
} catch (error) {
  failStart(error, 'PORT');
}
