import { Resolver } from 'node:dns/promises';
import { parse } from 'tldts';
import { RuleError } from '../http/errors';
import { parseDomainName } from '../rules/hostname';
import { tenantMessages as messages } from './tenants.messages';

/** Top levels that never lead here over the public DNS (RFC 2606, RFC 6761, RFC 7686). */
const PRIVATE = /\.(local|internal|localhost|test|invalid|example|onion|arpa)$/;

const invalid = (sentence: string, details?: string) =>
  new RuleError('invalid', sentence, { details, fields: { domain: details ?? sentence } });

/** A customer's domain in punycode without `www.`, not below the studio's own (contract §3). @throws RuleError invalid */
export function checkDomain(text: string, baseDomain: string): string {
  const name = parseDomainName(text)?.replace(/^www\./, '');
  if (!name?.includes('.') || PRIVATE.test(`.${name}`)) throw invalid(messages.domain);
  if (name === baseDomain || name.endsWith(`.${baseDomain}`)) throw invalid(messages.domainOwn);
  if (parse(name).publicSuffix === name) throw invalid(messages.domain);
  return name;
}

/** Looks whether the public DNS leads `domain` to `serverIp`. @throws RuleError invalid with the reason in `details` */
export async function checkPointsHere(domain: string, serverIp: string): Promise<void> {
  const resolver = new Resolver({ timeout: 3_000, tries: 1 });
  const lookUp = serverIp.includes(':') ? resolver.resolve6(domain) : resolver.resolve4(domain);
  const found: string[] = await lookUp.catch(() => []);
  if (found.includes(serverIp)) return;
  throw invalid(
    messages.domainElsewhere,
    messages.domainAddresses(domain, found.join(', ') || messages.noAddress, serverIp),
  );
}
