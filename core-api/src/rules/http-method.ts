/** The methods that a gateway route can have (contract §3), in the order in which they are shown. */
export const httpMethods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'] as const;
export type HttpMethod = (typeof httpMethods)[number];
