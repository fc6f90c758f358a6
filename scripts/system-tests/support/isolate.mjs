import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from '../../supervisor/node.mjs';

const FOLDER_VARIABLE = 'SYSTEM_TEST_FOLDER';
const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];

/**
 * Runs a test in namespaces without a network, in which all ports are free. The first run prepares a folder, runs the test
 * again in the namespaces and ends with its exit code; only the second run returns. Needs root.
 * @param {string} testUrl `import.meta.url` of the test
 * @param {(folder: string) => unknown} prepare downloads and builds everything that the test needs
 * @returns the folder that `prepare` filled
 */
export async function isolate(testUrl, prepare) {
  const preparedFolder = process.env[FOLDER_VARIABLE];
  if (preparedFolder) {
    execFileSync('ip', ['link', 'set', 'lo', 'up']);
    return preparedFolder;
  }
  if (process.getuid() !== 0) fail('Precisa de root.');
  const file = fileURLToPath(testUrl);
  const folder = mkdtempSync(join(tmpdir(), `system-test-${basename(file, '.mjs')}-`));
  chmodSync(folder, 0o755);
  let exitCode = 1;
  try {
    await prepare(folder);
    // pebble's authority, if the test uses pebble
    const authority = join(folder, 'authority.pem');
    const { status } = spawnSync('unshare', [...NAMESPACES, process.execPath, file, ...process.argv.slice(2)], {
      env: {
        ...process.env,
        [FOLDER_VARIABLE]: folder,
        ...(existsSync(authority) && { NODE_EXTRA_CA_CERTS: authority }),
      },
      stdio: 'inherit',
    });
    exitCode = status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.exit(exitCode);
}
