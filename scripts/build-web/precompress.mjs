// Writes `.br` and `.gz` siblings beside the immutable assets of a build: node scripts/build-web/precompress.mjs FOLDER…
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Names of files that compression makes smaller. Other formats of fonts and pictures are compressed already. */
const COMPRESSIBLE = /\.(?:js|css|svg|json|txt|map|ttf)$/;
/** Compression of a smaller file saves less than the additional header of the response costs. */
const MIN_BYTES = 1_024;

const brotli = (bytes) =>
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } });

async function precompress(file) {
  const bytes = await readFile(file);
  if (bytes.length < MIN_BYTES) return;
  await writeFile(`${file}.br`, await brotli(bytes));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}

for (const folder of process.argv.slice(2)) {
  const entries = await readdir(join(folder, 'assets'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name));
  await Promise.all(files.map((entry) => precompress(join(entry.parentPath ?? entry.path, entry.name))));
}
