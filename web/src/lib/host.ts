/** The current host with its port, without a leading `www.` (product §2). */
export const currentHost = (): string => window.location.host.replace(/^www\./, '');

/** The address of a subdomain or tenant: `loja.example.com`. */
export const siteHost = (subdomain: string): string => `${subdomain}.${currentHost()}`;

/** A link to a host, with the current scheme. */
export const siteUrl = (host: string): string => `${window.location.protocol}//${host}`;
