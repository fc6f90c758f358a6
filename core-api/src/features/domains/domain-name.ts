import { parse } from 'tldts';
import { createFieldError } from '../../platform/errors/rule-error';
import { parseDomainName } from '../../platform/net/hostname';
import { isWildcard } from '../../routing/hosts/site-domains';
import { domainMessages as messages } from './domains.messages';

/** Top-level domains below which no customer registers a domain (RFC 2606, RFC 6761, RFC 7686). */
const PRIVATE_TLD = /\.(local|internal|localhost|test|invalid|example|onion|arpa)$/;
const MAX_LENGTH = 253;

/** The field of a request body that contains the domain. */
export type DomainField = 'domain' | 'host';

/** Removes `www.`, because a domain always includes its `www`. */
export const removeWww = (name: string): string => name.replace(/^(?:www\.)+/, '');

/**
 * Parses a customer's domain to punycode without `www.`. The studio's own domains and domains below them are refused
 * (contract §3).
 * @throws RuleError invalid
 */
export function parseCustomDomain(text: string, ownDomains: readonly string[], field: DomainField): string {
  const fullName = parseDomainName(text);
  const name = fullName === undefined ? undefined : removeWww(fullName);
  if (!name?.includes('.') || PRIVATE_TLD.test(`.${name}`)) throw createFieldError('invalid', field, messages.domain);
  if (ownDomains.some((ownDomain) => name === ownDomain || name.endsWith(`.${ownDomain}`)))
    throw createFieldError('invalid', field, messages.domainOwn);
  if (parse(name).publicSuffix === name) throw createFieldError('invalid', field, messages.domain);
  return name;
}

/** Returns the stored form of an entered domain, for a look-up; undefined if the text is not a domain. */
export function toStoredDomain(text: string): string | undefined {
  const base = parseDomainName(isWildcard(text) ? text.slice(2) : text);
  if (base === undefined) return undefined;
  return isWildcard(text) ? `*.${removeWww(base)}` : removeWww(base);
}

/** Like `parseCustomDomain`, but also accepts a wildcard (`*.example.com`). @throws RuleError invalid */
export function parseCustomDomainOrWildcard(text: string, ownDomains: readonly string[], field: DomainField): string {
  const name = text.trim();
  if (!isWildcard(name)) return parseCustomDomain(name, ownDomains, field);
  const base = parseCustomDomain(name.slice(2), ownDomains, field);
  // A wildcard must not match a domain of the studio either.
  const coversOwnDomain = ownDomains.some(
    (ownDomain) => ownDomain.endsWith(`.${base}`) && !ownDomain.slice(0, -base.length - 1).includes('.'),
  );
  if (coversOwnDomain) throw createFieldError('invalid', field, messages.domainOwn);
  if (base.length + 2 > MAX_LENGTH) throw createFieldError('invalid', field, messages.domain);
  return `*.${base}`;
}
