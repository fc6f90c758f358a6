import { z } from 'zod';

const preview = (meaning: string) =>
  z.object({
    total: z.int(),
    /** The first few. */
    first: z.array(z.object({ id: z.string().describe(meaning), name: z.string() })),
  });

/** GET /overview */
export const overviewResponse = z
  .object({
    subdomains: z.int(),
    projects: z.int(),
    tenants: z.int(),
    telegram: z.boolean(),
    subdomainsDown: preview('The subdomain'),
    tenantsDown: preview('Of the tenant'),
    domainsWaiting: preview('Of the tenant'),
    certificatesEnding: preview('Of the tenant'),
    faults: z.int(),
    unread: z.int(),
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
        faults: 3,
        unread: 2,
      },
    ],
  });
export type Overview = z.output<typeof overviewResponse>;
