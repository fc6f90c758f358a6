import { extname } from 'node:path';
import type { HeaderRule, ManifestFile, RedirectRule, SiteManifest } from './manifest';
import { compilePathRule, type PathRule } from './path-rule';
import { encodePath, type SitePath } from './site-path';

/** The properties of a request that select a file of a version. */
export interface VersionRequest {
  /** Undefined for a path that no file can have. */
  readonly path: SitePath | undefined;
  /** Values of `Accept`. */
  readonly accept: string;
}

/** Reply of a version to GET and HEAD. */
export type VersionReply =
  | {
      readonly kind: 'file';
      readonly status: 200 | 404;
      readonly name: string;
      readonly file: ManifestFile;
      /** `Cache-Control` and the headers of `_headers`, each with its CRLF. */
      readonly lines: string;
      readonly type: string;
      /** True if a rule, `404.html` or the SPA fallback chose the file, so earlier versions take precedence. */
      readonly isFallback: boolean;
    }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | { readonly kind: 'missing' };

interface CompiledRule<Rule> {
  readonly rule: Rule;
  readonly path: PathRule;
}

interface HeaderLines {
  readonly lines: string;
  readonly type: string | undefined;
}

const INDEX = 'index.html';
const NOT_FOUND = '404.html';
const DEFAULT_CACHING = 'no-cache';

/** A manifest, compiled for look-ups by request path. */
export class CompiledManifest {
  readonly files: ReadonlyMap<string, ManifestFile>;
  private readonly headers: readonly CompiledRule<HeaderRule>[];
  private readonly redirects: readonly CompiledRule<RedirectRule>[];
  /** Cached lines by request path. Only paths with a file are cached. */
  private readonly linesByPath = new Map<string, HeaderLines>();

  constructor({ files, headers, redirects }: SiteManifest) {
    this.files = new Map(Object.entries(files));
    this.headers = headers.flatMap((rule) => compileRule(rule, rule.path));
    this.redirects = redirects.flatMap((rule) => compileRule(rule, rule.from));
  }

  /** Finds the first rule that matches. Forced rules apply although a file has this path. */
  findRedirect(path: string, { forcedOnly = false } = {}) {
    for (const { rule, path: pattern } of this.redirects) {
      if (forcedOnly && !rule.force) continue;
      const values = pattern.match(path);
      if (values) return { rule, values };
    }
    return undefined;
  }

  /** @param path decoded path of the request. @param name path of the file that is sent */
  getHeaderLines(path: string, name: string, file: ManifestFile): HeaderLines {
    const cached = this.linesByPath.get(path);
    if (cached) return cached;
    const lines = this.compileLines(path, file);
    if (path === `/${name}` || path === `/${name.replace(/(?:index)?\.html$/, '')}`) this.linesByPath.set(path, lines);
    return lines;
  }

  private compileLines(path: string, { mutable }: ManifestFile): HeaderLines {
    const headers = new Map<string, { rule: HeaderRule; name: string; values: string[] }>();
    for (const { rule, path: pattern } of this.headers) {
      if (!pattern.match(path)) continue;
      for (const name of rule.remove) headers.delete(name);
      for (const [name, value] of rule.set) {
        const header = headers.get(name.toLowerCase());
        // Values of one rule are joined. Values of an earlier rule are replaced.
        if (header?.rule === rule) header.values.push(value);
        else headers.set(name.toLowerCase(), { rule, name, values: [value] });
      }
    }
    const type = headers.get('content-type')?.values[0];
    const caching = headers.get('cache-control')?.values.join(', ') ?? DEFAULT_CACHING;
    headers.delete('content-type');
    headers.delete('cache-control');
    const cacheControl = mutable && /\bimmutable\b/i.test(caching) ? DEFAULT_CACHING : caching;
    let lines = `Cache-Control: ${cacheControl}\r\n`;
    for (const { name, values } of headers.values()) lines += `${name}: ${values.join(', ')}\r\n`;
    return { lines, type };
  }
}

function compileRule<Rule>(rule: Rule, pathText: string): CompiledRule<Rule>[] {
  const path = compilePathRule(pathText);
  return path ? [{ rule, path }] : [];
}

const formatSitePath = ({ segments, endsWithSlash }: SitePath): string =>
  `/${segments.join('/')}${endsWithSlash && segments.length > 0 ? '/' : ''}`;

/** Returns whether a request is a navigation, which a single-page application answers with its `index.html`. */
export const isNavigation = (accept: string, segments: readonly string[]): boolean =>
  acceptsHtml(accept) && extname(segments.at(-1) ?? '') === '';

const acceptsHtml = (accept: string): boolean => /\btext\/html\b/.test(accept);

function createFileReply(
  manifest: CompiledManifest,
  path: string,
  name: string,
  { status = 200, isFallback = false }: { status?: 200 | 404; isFallback?: boolean } = {},
): VersionReply | undefined {
  const file = manifest.files.get(name);
  if (!file) return undefined;
  const { lines, type = file.type } = manifest.getHeaderLines(path, name, file);
  return { kind: 'file', status, name, file, lines, type, isFallback };
}

/** Limit of the total length of the values in one target. A target may repeat a value. */
const MAX_FILLED = 16 * 1024;

/** Replaces the names in a redirect's target by values. @returns undefined beyond `MAX_FILLED` */
function fillPlaceholders(
  to: string,
  values: Record<string, string>,
  encode: (value: string) => string,
): string | undefined {
  let length = 0;
  const filled = to.replaceAll(/:([A-Za-z]\w*)/g, (placeholder, name: string) => {
    // `Object.hasOwn` is necessary, because a name may equal an inherited property (`:constructor`).
    const value = Object.hasOwn(values, name) && length <= MAX_FILLED ? values[name] : undefined;
    if (value === undefined) return placeholder;
    const encoded = encode(value);
    length += encoded.length;
    return encoded;
  });
  return length > MAX_FILLED ? undefined : filled;
}

const encodeSegments = (value: string): string => value.split('/').filter(Boolean).map(encodeURIComponent).join('/');

/**
 * Fills a redirect's target with values of the request. Each segment is encoded, so no value leads to another site.
 * @returns undefined if the values are longer than `MAX_FILLED` in total
 */
export function fillLocation(to: string, values: Record<string, string>, query: string): string | undefined {
  const [, origin = '', path = to] = /^(https?:\/\/[^/]+)(.*)$/i.exec(to) ?? [];
  const filled = fillPlaceholders(path, values, encodeSegments);
  if (filled === undefined) return undefined;
  const ascii = filled.replaceAll(/[^\x21-\x7e]+/g, (text) => encodeURI(text)).replace(/^\/{2,}/, '/');
  return origin + ascii + (ascii.includes('?') ? '' : query);
}

function applyRedirect(
  manifest: CompiledManifest,
  requestPath: string,
  query: string,
  { rule, values }: { rule: RedirectRule; values: Record<string, string> },
): VersionReply {
  if (rule.status !== 200 && rule.status !== 404) {
    const location = fillLocation(rule.to, values, query);
    return location === undefined ? { kind: 'missing' } : { kind: 'redirect', status: rule.status, location };
  }
  const path = fillPlaceholders(rule.to.split('?')[0] ?? '', values, (value) => value);
  if (path === undefined) return { kind: 'missing' };
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '..' && segment !== '.');
  const options = { status: rule.status, isFallback: true };
  for (const name of listCandidateFiles({ segments, endsWithSlash: path.endsWith('/') })) {
    const reply = createFileReply(manifest, requestPath, name, options);
    if (reply) return reply;
  }
  return { kind: 'missing' };
}

/** Returns the files that may be served for a path, in their order (contract §8). */
function listCandidateFiles({ segments, endsWithSlash }: Pick<SitePath, 'segments' | 'endsWithSlash'>): string[] {
  const path = segments.join('/');
  if (path === '') return [INDEX];
  return endsWithSlash ? [`${path}/${INDEX}`] : [path, `${path}/${INDEX}`, `${path}.html`];
}

/** Returns the file of a path, or the redirect that adds the slash of a folder; undefined if there is neither. */
function findPathReply(
  manifest: CompiledManifest,
  path: string,
  { segments, endsWithSlash, query }: SitePath,
): VersionReply | undefined {
  for (const name of listCandidateFiles({ segments, endsWithSlash })) {
    // Relative links of `docs/index.html` need the slash.
    if (!endsWithSlash && segments.length > 0 && name === `${segments.join('/')}/${INDEX}` && manifest.files.has(name))
      return { kind: 'redirect', status: 301, location: `${encodePath(segments)}/${query}` };
    const reply = createFileReply(manifest, path, name);
    if (reply) return reply;
  }
  return undefined;
}

/**
 * Chooses the first possible reply of a version (contract §8) among forced redirect, file, `path/index.html`,
 * `path.html`, redirect, `404.html`, and for navigations `index.html`. The function is pure.
 * @param spaFallback whether `index.html` answers navigations to missing files
 */
export function chooseVersionReply(
  manifest: CompiledManifest,
  { path: sitePath, accept }: VersionRequest,
  spaFallback: boolean,
): VersionReply {
  if (!sitePath) return createFileReply(manifest, '/', NOT_FOUND, { status: 404 }) ?? { kind: 'missing' };
  const path = formatSitePath(sitePath);
  const forcedRedirect = manifest.findRedirect(path, { forcedOnly: true });
  if (forcedRedirect) return applyRedirect(manifest, path, sitePath.query, forcedRedirect);
  const pathReply = findPathReply(manifest, path, sitePath);
  if (pathReply) return pathReply;
  const redirect = manifest.findRedirect(path);
  const redirectReply = redirect && applyRedirect(manifest, path, sitePath.query, redirect);
  if (redirectReply && redirectReply.kind !== 'missing') return redirectReply;
  const notFoundReply = createFileReply(manifest, path, NOT_FOUND, { status: 404, isFallback: true });
  if (notFoundReply) return notFoundReply;
  const isPage = spaFallback && isNavigation(accept, sitePath.segments);
  return (isPage && createFileReply(manifest, path, INDEX, { isFallback: true })) || { kind: 'missing' };
}

/**
 * Returns whether files of earlier versions take precedence over a reply. Pages that are still open need their old
 * scripts.
 */
export const prefersEarlierVersion = (reply: VersionReply, { path, accept }: VersionRequest): boolean =>
  path !== undefined &&
  !acceptsHtml(accept) &&
  (reply.kind === 'missing' || (reply.kind === 'file' && reply.isFallback));

/** Finds the file of an earlier version for an open page. HTML pages are served from the current version only. */
export function findEarlierFile(manifest: CompiledManifest, { path }: VersionRequest): VersionReply | undefined {
  if (!path || path.endsWithSlash || path.segments.length === 0) return undefined;
  const reply = createFileReply(manifest, formatSitePath(path), path.segments.join('/'));
  return reply?.kind === 'file' && !reply.file.type.startsWith('text/html') ? reply : undefined;
}
