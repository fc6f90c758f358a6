/** Contents of a version of a site. The core writes a manifest as JSON, and the edge and `POST /hosts/test` read it. */
export interface SiteManifest {
  /** Files by path without a leading slash, in Unicode form C. */
  readonly files: Readonly<Record<string, ManifestFile>>;
  /** The rules of `_headers` in their order. */
  readonly headers: readonly HeaderRule[];
  /** The rules of `_redirects` in their order. */
  readonly redirects: readonly RedirectRule[];
  /** SHA-256 of `_headers` and `_redirects`, which are not served. */
  readonly ruleFiles: readonly string[];
}

/** Parses a stored manifest. A version whose files are being sent has only `files`, without types. */
export const parseManifest = (text: string): SiteManifest => JSON.parse(text);

export type ContentEncoding = 'br' | 'gzip';

export interface ManifestFile {
  /** Digest of the content in hexadecimal, which is its name in the content store. */
  readonly sha256: string;
  readonly size: number;
  /** Value of `Content-Type`. */
  readonly type: string;
  /** Compressed copies in the content store. */
  readonly encodings?: readonly ContentEncoding[];
  /** True if the path had other content in an earlier version, so `immutable` of `_headers` does not apply. */
  readonly mutable?: true;
}

export interface HeaderRule {
  readonly path: string;
  readonly set: readonly (readonly [name: string, value: string])[];
  /** Headers of earlier rules that this rule removes, in lower case. */
  readonly remove: readonly string[];
}

export const redirectStatuses = [200, 301, 302, 303, 307, 308, 404] as const;

export interface RedirectRule {
  readonly from: string;
  /** A path of this site or, for the statuses of 3xx, an http(s) URL. */
  readonly to: string;
  readonly status: (typeof redirectStatuses)[number];
  /** True if the rule applies even if a file has this path. */
  readonly force?: true;
}

/** Extensions of compressed copies, in the content store and beside the files of a folder. */
export const encodingSuffix: Record<ContentEncoding, string> = { br: '.br', gzip: '.gz' };
