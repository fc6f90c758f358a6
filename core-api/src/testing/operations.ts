import type { Core } from './core';

/** An operation of the OpenAPI document. */
export interface Operation {
  /** Path below `/api`, with values in place of `{id}` and `{subdomain}`. */
  path: string;
  method: string;
  /** True for an operation that needs no token. */
  isPublic: boolean;
  statuses: string[];
}

/** Reads the operations from the OpenAPI document of a core. */
export async function readDocumentedOperations(core: Core): Promise<Operation[]> {
  const document = (await core.request('GET', '/openapi.json', { token: null })).body;
  expect(document.openapi).toMatch(/^3\.1/);
  return Object.entries<Record<string, { security?: unknown[]; responses: object }>>(document.paths).flatMap(
    ([path, item]) =>
      Object.entries(item).map(([method, { security, responses }]) => ({
        path: path.replaceAll('{id}', '019a0000-0000-7000-8000-000000000000').replaceAll('{subdomain}', 'nao-existe'),
        method: method.toUpperCase(),
        isPublic: security?.length === 0,
        statuses: Object.keys(responses),
      })),
  );
}
