/** Methods of gateway routes (contract §3), in display order. */
export const httpMethods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'] as const;
export type HttpMethod = (typeof httpMethods)[number];
