import { extname } from 'node:path';
import type { VersionRef } from '../config-snapshot';
import type { VersionDecision } from '../routing-decision';
import type { CompiledManifest } from './compiled-manifest';
import { fillLocation, fillPlaceholders } from './fill-location';
import type { ManifestFile, RedirectRule } from './manifest';
import { encodePath, type SitePath } from './site-path';

/** The properties of a request that select a file of a version. */
export interface VersionRequest {
  /** Undefined for a path that no file can have. */
  readonly path: SitePath | undefined;
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
      /** True if earlier versions take precedence, because a rule, `404.html` or the SPA fallback chose the file. */
      readonly isFallback: boolean;
    }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | { readonly kind: 'missing' };

/** Asks for the manifests of versions, and returns the reply and its version; undefined without any manifest. */
export type SiteReplyChoice = Generator<
  VersionRef,
  { version: VersionRef; reply: VersionReply } | undefined,
  CompiledManifest | undefined
>;

const INDEX = 'index.html';
const NOT_FOUND = '404.html';

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

/** Returns the names of the files that may be served for a path, in order of precedence (contract §8). */
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
 * `path.html`, redirect, `404.html`, and for navigations `index.html`.
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
  const isSpaNavigation = spaFallback && isNavigation(accept, sitePath.segments);
  return (isSpaNavigation && createFileReply(manifest, path, INDEX, { isFallback: true })) || { kind: 'missing' };
}

/**
 * Returns whether files of earlier versions take precedence over a reply. Pages that are still open need their old
 * scripts.
 */
const prefersEarlierVersion = (reply: VersionReply, { path, accept }: VersionRequest): boolean =>
  path !== undefined &&
  !acceptsHtml(accept) &&
  (reply.kind === 'missing' || (reply.kind === 'file' && reply.isFallback));

/** Finds the file of an earlier version for an open page. HTML pages are served from the current version only. */
function findFileOfEarlierVersion(manifest: CompiledManifest, { path }: VersionRequest): VersionReply | undefined {
  if (!path || path.endsWithSlash || path.segments.length === 0) return undefined;
  const reply = createFileReply(manifest, formatSitePath(path), path.segments.join('/'));
  return reply?.kind === 'file' && !reply.file.type.startsWith('text/html') ? reply : undefined;
}

/**
 * Chooses the version that replies to a request, and its reply. The function is pure: the caller loads the manifest of
 * each yielded version, and passes undefined for a version that this machine has not pulled yet.
 */
export function* chooseSiteReply(
  { current, earlier, spaFallback }: Pick<VersionDecision, 'current' | 'earlier' | 'spaFallback'>,
  request: VersionRequest,
): SiteReplyChoice {
  const currentManifest = yield current;
  if (!currentManifest) {
    const [newest, ...older] = earlier;
    return newest && (yield* chooseSiteReply({ current: newest, earlier: older, spaFallback }, request));
  }
  const reply = chooseVersionReply(currentManifest, request, spaFallback);
  if (prefersEarlierVersion(reply, request))
    for (const version of earlier) {
      const manifest = yield version;
      const earlierReply = manifest && findFileOfEarlierVersion(manifest, request);
      if (earlierReply) return { version, reply: earlierReply };
    }
  return { version: current, reply };
}
