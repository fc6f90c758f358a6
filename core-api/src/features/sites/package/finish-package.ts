import { hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { CompiledManifest } from '../../../routing/sites/compiled-manifest';
import { findEndlessRedirects } from '../../../routing/sites/endless-redirects';
import {
  type ContentEncoding,
  encodingSuffix,
  type ManifestFile,
  type SiteManifest,
} from '../../../routing/sites/manifest';
import { getMediaType } from '../../../routing/sites/media-types';
import { parseSitePath } from '../../../routing/sites/site-path';
import { type InvalidLine, parseHeaders, parseRedirects } from '../../../routing/sites/site-rules';
import { chooseVersionReply } from '../../../routing/sites/version-reply';
import type { ContentStore } from '../content/content-store';
import { siteMessages as messages } from '../sites.messages';
import { MAX_RULE_FILE_BYTES } from './limits';
import type { PackageEntry } from './package-entry';
import { PackageError } from './package-error';

/** Smaller files are not compressed. */
const MIN_COMPRESSED_BYTES = 512;
/** Minimum saving of a compressed copy. A copy with a smaller saving is not worth its disk space. */
const MIN_SAVING = 0.05;
const COMPRESSIBLE =
  /^(?:text\/|application\/(?:javascript|json|manifest\+json|xml|wasm|vnd\.ms-fontobject)|image\/(?:svg\+xml|x-icon)|font\/(?:ttf|otf))/;

/** Encodings in the order of preference. */
const ENCODINGS = ['br', 'gzip'] as const;
/** Quality 5 is fast, so that a publication is live sooner. `recompress` uses 11 later. */
const compressors: Record<ContentEncoding, () => NodeJS.ReadWriteStream> = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: () => createGzip({ level: 6 }),
};

const isCompressible = (type: string, size: number): boolean => size >= MIN_COMPRESSED_BYTES && COMPRESSIBLE.test(type);

/** Writes the compressed copies of a file that save enough. @returns their encodings in the order of preference */
async function compressFile(file: string, size: number): Promise<ContentEncoding[]> {
  const keptEncodings: ContentEncoding[] = [];
  for (const encoding of ENCODINGS) {
    const copyPath = file + encodingSuffix[encoding];
    await pipeline(createReadStream(file), compressors[encoding](), createWriteStream(copyPath, { mode: 0o600 }));
    if ((await stat(copyPath)).size <= size * (1 - MIN_SAVING)) keptEncodings.push(encoding);
    else await rm(copyPath);
  }
  return keptEncodings;
}

const HEADERS = '_headers';
const REDIRECTS = '_redirects';
/** Time limit for the compression of a version's files, ms. Files after the limit get no compressed copies. */
const COMPRESSION_MS = 20_000;

export interface FinishJob {
  readonly files: readonly PackageEntry[];
  /** Folder with the content that the store does not have yet. The files are named by their digests. */
  readonly folder: string;
  /** Paths whose content differs from their content in an earlier version. */
  readonly changedPaths: readonly string[];
}

export interface FinishedPackage {
  readonly manifest: string;
  readonly digest: string;
  readonly warnings: readonly string[];
}

/** Stores the content and the manifest of a version whose files have arrived completely. */
export class PackageFinisher {
  private readonly compressionDeadline = Date.now() + COMPRESSION_MS;

  constructor(
    private readonly store: ContentStore,
    private readonly job: FinishJob,
  ) {}

  /** Reads the rules and stores all content. @throws PackageError for invalid rules or a wrong listed size */
  async finish(): Promise<FinishedPackage> {
    for (const { path, sha256, size } of this.job.files) {
      const content = await stat(await this.findContentPath(sha256));
      if (content.size !== size) throw new PackageError(400, messages.otherSize(path));
    }
    const filesByPath = new Map(this.job.files.map((file) => [file.path, file]));
    const headers = await this.readRules(HEADERS, filesByPath.get(HEADERS), parseHeaders);
    const redirects = await this.readRules(REDIRECTS, filesByPath.get(REDIRECTS), parseRedirects);
    const servedFiles = this.job.files.filter(({ path }) => path !== HEADERS && path !== REDIRECTS);
    const encodingsByDigest = await this.storeContent(this.job.files);
    const files: Record<string, ManifestFile> = Object.create(null);
    for (const { path, sha256, size } of servedFiles) {
      const encodings = encodingsByDigest.get(sha256) ?? [];
      files[path] = { sha256, size, type: getMediaType(path), ...(encodings.length > 0 && { encodings }) };
    }
    const ruleFiles = [HEADERS, REDIRECTS].flatMap((name) => filesByPath.get(name)?.sha256 ?? []);
    const manifest = { files, headers, redirects, ruleFiles };
    const mutablePaths = markMutableFiles(manifest, this.job.changedPaths);
    const warnings = [...mutablePaths.map(messages.notImmutable), ...warnOfEndlessRedirects(manifest)];
    return { ...(await this.storeManifest(manifest)), warnings };
  }

  private async readRules<Rule>(
    name: string,
    file: PackageEntry | undefined,
    parse: (text: string) => Rule[] | InvalidLine,
  ): Promise<Rule[]> {
    if (!file) return [];
    if (file.size > MAX_RULE_FILE_BYTES) throw new PackageError(400, messages.ruleFileSize(name));
    const rules = parse(await readFile(await this.findContentPath(file.sha256), 'utf8'));
    if (Array.isArray(rules)) return rules;
    throw new PackageError(400, messages.rule(name, rules.line, rules.violation));
  }

  /** Returns the path of a file's content, which is in the store or has just been received. */
  private readonly findContentPath = async (sha256: string): Promise<string> =>
    (await this.store.has(sha256)) ? this.store.toObjectPath(sha256) : join(this.job.folder, sha256);

  /** Stores equal files once. @returns the encodings of their compressed copies, by the file's digest */
  private async storeContent(files: readonly PackageEntry[]): Promise<Map<string, ContentEncoding[]>> {
    const encodings = new Map<string, ContentEncoding[]>();
    for (const file of files) {
      if (encodings.has(file.sha256)) continue;
      const isStored = await this.store.has(file.sha256);
      encodings.set(file.sha256, await (isStored ? this.findStoredEncodings(file.sha256) : this.storeNewContent(file)));
    }
    await this.store.syncNames(encodings.keys());
    return encodings;
  }

  private async findStoredEncodings(sha256: string): Promise<ContentEncoding[]> {
    const areStored = await Promise.all(ENCODINGS.map((encoding) => this.store.has(sha256 + encodingSuffix[encoding])));
    return ENCODINGS.filter((_encoding, index) => areStored[index]);
  }

  private async storeNewContent({ path, sha256, size }: PackageEntry): Promise<ContentEncoding[]> {
    const file = join(this.job.folder, sha256);
    const isInTime = Date.now() < this.compressionDeadline;
    const encodings = isInTime && isCompressible(getMediaType(path), size) ? await compressFile(file, size) : [];
    for (const encoding of encodings) {
      const suffix = encodingSuffix[encoding];
      await this.store.adopt(file + suffix, sha256 + suffix);
    }
    await this.store.adopt(file, sha256);
    return encodings;
  }

  /** Stores the manifest in the content store, where the edge reads it. */
  private async storeManifest(manifest: SiteManifest): Promise<Pick<FinishedPackage, 'manifest' | 'digest'>> {
    const text = JSON.stringify(manifest);
    const digest = hash('sha256', text);
    const file = join(this.job.folder, 'manifest');
    await writeFile(file, text, { mode: 0o600 });
    await this.store.adopt(file, digest);
    await this.store.syncNames([digest]);
    return { manifest: text, digest };
  }
}

/** Returns warnings about redirects that lead back to themselves without reaching a file. */
function warnOfEndlessRedirects(manifest: SiteManifest): string[] {
  const compiledManifest = new CompiledManifest(manifest);
  const endlessSources = findEndlessRedirects(manifest.redirects, (target) => {
    const reply = chooseVersionReply(compiledManifest, { path: parseSitePath(target), accept: '' }, false);
    return reply.kind === 'redirect' && reply.location.startsWith('/') ? reply.location : undefined;
  });
  return endlessSources.map(messages.endlessRedirect);
}

/**
 * Marks the paths that lose `immutable`, because their content has changed and browsers would keep the old content.
 * @returns the marked paths
 */
function markMutableFiles(
  manifest: SiteManifest & { files: Record<string, ManifestFile> },
  changedPaths: readonly string[],
): string[] {
  const compiledManifest = new CompiledManifest(manifest);
  return changedPaths.filter((path) => {
    const file = manifest.files[path];
    if (!file || !/\bimmutable\b/i.test(compiledManifest.getHeaderLines(`/${path}`, path, file).lines)) return false;
    manifest.files[path] = { ...file, mutable: true };
    return true;
  });
}
