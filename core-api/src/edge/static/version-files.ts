import { readFile } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import type { VersionDecision } from '../../routing/routing-decision';
import { CompiledManifest } from '../../routing/sites/compiled-manifest';
import { parseManifest } from '../../routing/sites/manifest';
import { parseSitePath } from '../../routing/sites/site-path';
import { chooseSiteReply, type SiteReplyChoice, type VersionReply } from '../../routing/sites/version-reply';
import { ContentCache } from './content-cache';
import { createReply, type FileReply, type FileRequest, joinHeaderValues, replyWithFile } from './file-reply';
import { undefinedIfMissing } from './open-file';
import { whenLoaded } from './pending-cache';

/** Limit of the manifests that a worker caches, in characters of their JSON. */
const MAX_MANIFEST_LENGTH = 64 * 1024 * 1024;

/** The properties of a decision that determine the reply. */
type VersionChoice = Pick<VersionDecision, 'current' | 'earlier' | 'spaFallback' | 'noindex'>;

/** Replies to GET and HEAD from versions of sites (contract §8). Paths are looked up in the manifest only. */
export class VersionFiles {
  private readonly content: ContentCache;
  private readonly manifests = new LRUCache<string, CompiledManifest>({ maxSize: MAX_MANIFEST_LENGTH });
  private readonly loading = new Map<string, Promise<CompiledManifest | undefined>>();

  /** @param folder folder with the files, named by their digests */
  constructor(folder: string) {
    this.content = new ContentCache(folder);
  }

  serve(request: FileRequest, versions: VersionChoice): FileReply | Promise<FileReply> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return 405;
    const versionRequest = { path: parseSitePath(request.target), accept: joinHeaderValues(request, 'accept') ?? '' };
    return this.continueChoice(chooseSiteReply(versions, versionRequest), request, versions);
  }

  /** Loads the manifests for which the choice asks, and sends the chosen reply, or 503 if no manifest is found. */
  private continueChoice(
    choice: SiteReplyChoice,
    request: FileRequest,
    versions: VersionChoice,
    manifest?: CompiledManifest,
  ): FileReply | Promise<FileReply> {
    const { done, value } = choice.next(manifest);
    if (done) return value ? this.send(request, value.reply, versions) : 503;
    return whenLoaded(this.getManifest(value.manifest), (loaded) =>
      this.continueChoice(choice, request, versions, loaded),
    );
  }

  private send(request: FileRequest, reply: VersionReply, { noindex }: VersionChoice): FileReply | Promise<FileReply> {
    if (reply.kind === 'missing') return 404;
    const robots = noindex ? 'X-Robots-Tag: noindex\r\n' : '';
    if (reply.kind === 'redirect')
      return createReply(reply.status, `Location: ${reply.location}\r\nCache-Control: no-cache\r\n${robots}`);
    const head = { status: reply.status, type: reply.type, lines: reply.lines + robots };
    return whenLoaded(this.content.find(reply.file.sha256, reply.file.encodings), (resource) =>
      resource ? replyWithFile(request, resource, head) : 503,
    );
  }

  private getManifest(digest: string): CompiledManifest | undefined | Promise<CompiledManifest | undefined> {
    const cached = this.manifests.get(digest);
    if (cached) return cached;
    const loading = this.loading.get(digest) ?? this.load(digest).finally(() => this.loading.delete(digest));
    this.loading.set(digest, loading);
    return loading;
  }

  private async load(digest: string): Promise<CompiledManifest | undefined> {
    const text = await undefinedIfMissing(readFile(this.content.getPath(digest), 'utf8'));
    if (text === undefined) return undefined;
    const manifest = new CompiledManifest(parseManifest(text));
    this.manifests.set(digest, manifest, { size: Math.max(1, text.length) });
    return manifest;
  }
}
