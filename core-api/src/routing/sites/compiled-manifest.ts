import type { HeaderRule, ManifestFile, RedirectRule, SiteManifest } from './manifest';
import { compilePathRule, type PathRule } from './path-rule';

interface CompiledRule<Rule> {
  readonly rule: Rule;
  readonly path: PathRule;
}

interface HeaderLines {
  readonly lines: string;
  readonly type: string | undefined;
}

const DEFAULT_CACHING = 'no-cache';

/** A manifest, compiled for look-ups by request path. */
export class CompiledManifest {
  readonly files: ReadonlyMap<string, ManifestFile>;
  private readonly headers: readonly CompiledRule<HeaderRule>[];
  private readonly redirects: readonly CompiledRule<RedirectRule>[];
  /** Cached lines by request path. Paths without a file are not cached, because their number is unlimited. */
  private readonly linesByPath = new Map<string, HeaderLines>();

  constructor({ files, headers, redirects }: SiteManifest) {
    this.files = new Map(Object.entries(files));
    this.headers = headers.flatMap((rule) => compileRule(rule, rule.path));
    this.redirects = redirects.flatMap((rule) => compileRule(rule, rule.from));
  }

  /** Finds the first rule of `_redirects` that matches. Forced rules apply even if a file has this path. */
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
