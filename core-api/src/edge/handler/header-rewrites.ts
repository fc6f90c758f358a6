import type { HostPolicy } from '../../routing/hosts/host-policy';
import { applyPolicyToHeader, createPolicyLines } from '../../routing/hosts/policy-headers';
import type { TrafficKind } from '../../routing/routing-decision';
import type { HeaderRewrite } from '../engine/types';

/** Removes the upstream's `X-Request-Id`, because the edge adds its own. */
const dropRequestId: HeaderRewrite = (name, _value, line) => (name === 'x-request-id' ? '' : line);

/** Removes the upstream's CORS lines, for services with a CORS policy. @param rewrite for all other lines */
const dropCors =
  (rewrite: HeaderRewrite): HeaderRewrite =>
  (name, value, line) =>
    name.startsWith('access-control-') ? '' : rewrite(name, value, line);

/**
 * Removes the directives of `Clear-Site-Data` that remove cookies. Browsers remove the cookies of the whole registrable
 * domain, including those of the console and of all sites (Clear Site Data §3.1). `"*"` keeps its other effects.
 */
const dropCookieDirectives =
  (rewrite: HeaderRewrite): HeaderRewrite =>
  (name, value, line) => {
    if (name !== 'clear-site-data') return rewrite(name, value, line);
    const directives = value.split(',').map((directive) => directive.trim());
    const keptDirectives = directives
      .flatMap((directive) => (directive === '"*"' ? ['"cache"', '"storage"', '"executionContexts"'] : directive))
      .filter((directive) => directive !== '"cookies"');
    return keptDirectives.length === 0 ? '' : `Clear-Site-Data: ${keptDirectives.join(', ')}\r\n`;
  };

/** Matches a `Domain` attribute. If two adjacent parts could match blanks, matching would take quadratic time. */
const DOMAIN = /;[ \t]*domain[ \t]*=([^;\r]*)/gi;

/** Browsers normalize domains with these characters, for example by removing soft hyphens, before they compare them. */
const NORMALIZED_BY_BROWSERS = /[%\x80-\xff]/;

/**
 * Makes cookies host-only if their `Domain` is an own domain or a parent of one. Browsers would send such cookies to
 * the console and to all sites. The rewrite also removes `X-Request-Id` (`dropRequestId`).
 * @param ownDomains in lower case
 */
export function makeCookiesHostOnly(ownDomains: readonly string[]): HeaderRewrite {
  const isOwnOrParent = (domain: string) =>
    ownDomains.some((ownDomain) => ownDomain === domain || ownDomain.endsWith(`.${domain}`));
  return (name, value, line) => {
    if (name !== 'set-cookie') return dropRequestId(name, value, line);
    return line.replace(DOMAIN, (attribute, attributeValue: string) => {
      const domain = attributeValue
        .trim()
        .replace(/^"?\.?/, '')
        .replace(/"$/, '');
      const canonical = domain.toLowerCase().replace(/\.$/, '');
      return NORMALIZED_BY_BROWSERS.test(domain) || (canonical !== '' && isOwnOrParent(canonical)) ? '' : attribute;
    });
  };
}

/** Header rewrites for sites and services. The engine compares rewrites by identity, so each policy has exactly one. */
export class ResponseRewrites {
  private readonly plain: HeaderRewrite;
  private readonly withoutCors: HeaderRewrite;
  private readonly rewriteByPolicy = new WeakMap<HostPolicy, HeaderRewrite>();

  /** @param sharesConsoleDomain true if the hosts share a registrable domain with the console */
  constructor(ownDomains: readonly string[], { sharesConsoleDomain }: { sharesConsoleDomain: boolean }) {
    const rewrite = makeCookiesHostOnly(ownDomains);
    this.plain = sharesConsoleDomain ? dropCookieDirectives(rewrite) : rewrite;
    this.withoutCors = dropCors(this.plain);
  }

  get(kind: TrafficKind, corsLines: string | undefined, policy: HostPolicy | undefined): HeaderRewrite {
    if (policy) return this.getForPolicy(policy);
    if (kind === 'studio') return dropRequestId;
    return corsLines === undefined ? this.plain : this.withoutCors;
  }

  private getForPolicy(policy: HostPolicy): HeaderRewrite {
    if (createPolicyLines(policy) === '') return this.plain;
    const cached = this.rewriteByPolicy.get(policy);
    if (cached) return cached;
    const rewrite: HeaderRewrite = (name, value, line) => {
      const rewrittenLine = applyPolicyToHeader(policy, name, value, line);
      return rewrittenLine === line ? this.plain(name, value, line) : rewrittenLine;
    };
    this.rewriteByPolicy.set(policy, rewrite);
    return rewrite;
  }
}
