import { z } from 'zod';
import { requiredText } from '../../platform/http/input/fields';
import { rolloutStatusResponse } from '../rollout';
import { certificateStates, dnsStates } from './checks/domain-status.entity';
import { domainMessages as messages } from './domains.messages';
import { domainRoles, wwwModes } from './site-domain.entity';

export const wwwMode = z.enum(wwwModes, messages.www);

/** POST /{owner}/domains. If the site has the domain already, the request changes the domain's role. */
export const siteDomainBody = z.object({
  host: requiredText(255, messages.domainRequired, messages.domain),
  role: z.enum(domainRoles, messages.role).default('alias'),
  /** Target of a redirect. Without it, the redirect leads to the site's primary domain, or else to its label. */
  to: z.string(messages.to).trim().max(255, messages.to).nullish(),
  www: wwwMode.default('serve'),
});
export type SiteDomainBody = z.output<typeof siteDomainBody>;

export const domainStatusResponse = z
  .object({
    host: z.string(),
    /** `host` in Unicode, to show to people. */
    displayHost: z.string(),
    dns: z.enum(dnsStates),
    found: z.array(z.string()),
    expected: z.array(z.string()),
    certificate: z.object({
      state: z.enum(certificateStates),
      issuer: z.string().nullable(),
      expiresAt: z.iso.datetime().nullable(),
    }),
    checkedAt: z.iso.datetime().nullable(),
    nextCheckAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'DomainStatus' });
export type DomainStatusResponse = z.output<typeof domainStatusResponse>;

export const siteDomainResponse = z
  .object({
    host: z.string(),
    displayHost: z.string(),
    role: z.enum(domainRoles),
    /** Target host of a redirect; null for other roles. */
    to: z.string().nullable(),
    /** `to` in Unicode. */
    displayTo: z.string().nullable(),
    wwwMode: z.enum(wwwModes),
    /** Status of the domain and of its `www`. */
    status: z.array(domainStatusResponse),
    /** The DNS records that the domain's owner creates. */
    records: z.array(z.object({ type: z.enum(['A', 'AAAA', 'CNAME']), name: z.string(), value: z.string() })),
    /** Rollout status in the response to a save; null in other responses. */
    live: rolloutStatusResponse.nullable(),
  })
  .meta({
    id: 'SiteDomain',
    examples: [
      {
        host: 'padariadoze.com.br',
        displayHost: 'padariadoze.com.br',
        role: 'alias',
        to: null,
        displayTo: null,
        wwwMode: 'serve',
        status: [],
        records: [
          { type: 'A', name: 'padariadoze.com.br', value: '203.0.113.1' },
          { type: 'CNAME', name: 'www.padariadoze.com.br', value: 'padariadoze.com.br' },
        ],
        live: { state: 'active' },
      },
    ],
  });
export type SiteDomainResponse = z.output<typeof siteDomainResponse>;
