import { z } from 'zod';

const shortList = (idDescription: string) =>
  z.object({ total: z.int(), first: z.array(z.object({ id: z.string().describe(idDescription), name: z.string() })) });

const serverErrorHost = z.object({
  kind: z.enum(['subdomain', 'tenant', 'gateway']),
  /** Null for the gateway. */
  id: z.uuid().nullable(),
  /** Label of the subdomain, or name of the tenant. */
  name: z.string().nullable(),
  count: z.int(),
});
export type ServerErrorHost = z.output<typeof serverErrorHost>;

export const overviewResponse = z
  .object({
    subdomains: z.int(),
    projects: z.int(),
    tenants: z.int(),
    /** True if Telegram's bot and chat are set. */
    telegram: z.boolean(),
    subdomainsDown: shortList('Label of the subdomain'),
    tenantsDown: shortList('Id of the tenant'),
    domainsWaiting: shortList('Id of the tenant'),
    certificatesEnding: shortList('Id of the tenant'),
    /** Tokens that expire within 14 days. Administrators of all projects get all, others their own, programs none. */
    tokensEnding: shortList('Id of the token'),
    /** Number of the 5xx responses of the last hour. */
    faults: z.int(),
    /** The hosts that gave these responses, and the gateway. Most errors first; at most five entries. */
    serverErrors: z.array(serverErrorHost),
    /** Contact messages that are not handled. */
    unread: z.int(),
    /** Open alerts. */
    alerts: z.int(),
  })
  .meta({
    id: 'Overview',
    examples: [
      {
        subdomains: 12,
        projects: 2,
        tenants: 5,
        telegram: true,
        subdomainsDown: { total: 1, first: [{ id: 'loja', name: 'loja' }] },
        tenantsDown: { total: 0, first: [] },
        domainsWaiting: {
          total: 1,
          first: [{ id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607', name: 'www.padariadoze.com.br' }],
        },
        certificatesEnding: { total: 0, first: [] },
        tokensEnding: { total: 0, first: [] },
        faults: 3,
        serverErrors: [{ kind: 'subdomain', id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607', name: 'loja', count: 3 }],
        unread: 2,
        alerts: 1,
      },
    ],
  });
export type Overview = z.output<typeof overviewResponse>;
