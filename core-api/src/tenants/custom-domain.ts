import { parse } from 'tldts';
import { fieldError } from '../errors';
import { parseDomainName } from '../rules/hostname';
import { tenantMessages as messages } from './tenants.messages';

/** Special-use top-level domains, which the public DNS does not resolve (RFC 2606, RFC 6761, RFC 7686). */
const PRIVATE = /\.(local|internal|localhost|test|invalid|example|onion|arpa)$/;

/** A customer's domain in punycode without `www.`, not below the studio's own (contract §3). @throws RuleError invalid */
export function checkDomain(text: string, baseDomain: string): string {
  const name = parseDomainName(text)?.replace(/^(?:www\.)+/, '');
  if (!name?.includes('.') || PRIVATE.test(`.${name}`)) throw fieldError('invalid', 'domain', messages.domain);
  if (name === baseDomain || name.endsWith(`.${baseDomain}`)) throw fieldError('invalid', 'domain', messages.domainOwn);
  if (parse(name).publicSuffix === name) throw fieldError('invalid', 'domain', messages.domain);
  return name;
}
