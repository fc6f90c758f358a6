import { removeQuery } from '../../routing/routes/request-path';
import type { FileDecision } from '../../routing/routing-decision';
import { decodeSegments } from '../../routing/sites/site-path';
import { isNavigation } from '../../routing/sites/version-reply';
import { FileCache } from './file-cache';
import { createReply, type FileReply, type FileRequest, joinHeaderValues, replyWithFile } from './file-reply';
import { whenLoaded } from './pending-cache';
import { Resource } from './resource';

type StaticSite = Pick<FileDecision, 'folder' | 'spaFallback'>;
type FileTarget = ReturnType<typeof parseTarget>;

const INDEX = 'index.html';
const NOT_FOUND = '404.html';

function parseTarget({ folder, spaFallback }: StaticSite, target: string) {
  const pathname = removeQuery(target);
  return {
    folder,
    spaFallback,
    /** Undefined for a path that no file can have (`decodeSegments`). */
    segments: decodeSegments(pathname),
    endsWithSlash: pathname.endsWith('/'),
    /** The query with its question mark, or ''. */
    query: target.slice(pathname.length),
  };
}

/** Answers GET and HEAD from the folders of static sites (contract §4). */
export class StaticFiles {
  private readonly files: FileCache;

  /** @param mayServe returns whether a file may be served, by its path without symbolic links */
  constructor(mayServe: (realPath: string) => boolean) {
    this.files = new FileCache(mayServe);
  }

  serve(request: FileRequest, site: StaticSite): FileReply | Promise<FileReply> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return 405;
    return this.serveAt(request, parseTarget(site, request.target), 0);
  }

  /**
   * Serves the file at the path, else `index.html` in the folder at the path, else the file at the path with `.html`
   * (contract §4).
   * @param attempt number of earlier attempts that failed because the file had changed
   */
  private serveAt(request: FileRequest, target: FileTarget, attempt: number): FileReply | Promise<FileReply> {
    const { folder, segments, endsWithSlash } = target;
    if (!segments) return this.serveMissing(request, target, attempt);
    return whenLoaded(this.files.find(folder, segments), (lookup) => {
      if (lookup === 'root-unavailable') return 503;
      if (lookup === 'folder') return this.serveFolder(request, target, segments, attempt);
      if (lookup && !endsWithSlash) return this.replyFrom(request, lookup, target, attempt);
      return this.servePage(request, target, attempt);
    });
  }

  private serveFolder(request: FileRequest, target: FileTarget, segments: readonly string[], attempt: number) {
    return whenLoaded(this.files.find(target.folder, [...segments, INDEX]), (index) => {
      if (!(index instanceof Resource)) return this.servePage(request, target, attempt);
      if (target.endsWithSlash) return this.replyFrom(request, index, target, attempt);
      const location = `/${segments.map(encodeURIComponent).join('/')}/${target.query}`;
      return createReply(301, `Location: ${location}\r\nCache-Control: no-cache\r\n`);
    });
  }

  /** Serves `/about` from `about.html`. */
  private servePage(request: FileRequest, target: FileTarget, attempt: number): FileReply | Promise<FileReply> {
    const { folder, segments = [], endsWithSlash } = target;
    const name = segments.at(-1);
    if (name === undefined || endsWithSlash) return this.serveMissing(request, target, attempt);
    return whenLoaded(this.files.find(folder, [...segments.slice(0, -1), `${name}.html`]), (page) =>
      page instanceof Resource
        ? this.replyFrom(request, page, target, attempt)
        : this.serveMissing(request, target, attempt),
    );
  }

  /** Serves the root's `404.html` if it exists, else `index.html` for navigations of sites with an SPA fallback. */
  private serveMissing(request: FileRequest, target: FileTarget, attempt: number): FileReply | Promise<FileReply> {
    const { folder, spaFallback } = target;
    return whenLoaded(this.files.find(folder, [NOT_FOUND]), (page) => {
      if (page === 'root-unavailable') return 503;
      if (page instanceof Resource) return this.replyFrom(request, page, target, attempt, 404);
      const navigates = target.segments && isNavigation(joinHeaderValues(request, 'accept') ?? '', target.segments);
      if (!spaFallback || !navigates) return 404;
      return whenLoaded(this.files.find(folder, [INDEX]), (index) =>
        index instanceof Resource ? this.replyFrom(request, index, target, attempt) : 404,
      );
    });
  }

  private replyFrom(
    request: FileRequest,
    resource: Resource,
    target: FileTarget,
    attempt: number,
    status: 200 | 404 = 200,
  ): FileReply | Promise<FileReply> {
    const retry = () => {
      this.files.forget(resource);
      return this.serveAt(request, target, attempt + 1);
    };
    // If the file changes a second time, the body ends early.
    return replyWithFile(request, resource, { status }, attempt > 0 ? undefined : retry);
  }
}
