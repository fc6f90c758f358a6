import { boolean, check, type InferOutput, object, picklist, pipe, string } from 'valibot';
import type { HttpMethod } from '../../../generated/graph';
import { createExamplePath } from '../../../lib/gateway/examplePath';
import { routesMessages } from '../gateway-routes.messages';
import { httpMethods } from '../routeForm';

const { testing: messages } = routesMessages;

const isPathOrUrl = (text: string): boolean => /^(\/|https?:\/\/)/i.test(text.trim());

export const testSchema = object({
  method: picklist(httpMethods),
  /** Path and query, or a pasted URL. */
  path: pipe(string(), check(isPathOrUrl, messages.pathRequired)),
  /** Value of the API key. Empty: the request has no key. */
  key: string(),
  /** IP address of the client. Empty: the address of the administrator. */
  address: string(),
  /** Whether the test also calls the service. */
  call: boolean(),
});

export type TestValues = InferOutput<typeof testSchema>;

export const toTestValues = (route?: { methods: readonly HttpMethod[]; origin: string }): TestValues => ({
  method: route?.methods[0] ?? 'GET',
  path: route ? createExamplePath(route.origin) : '',
  key: '',
  address: '',
  call: false,
});

/** Removes scheme and host of a pasted URL: `https://api.exemplo.com.br/vendas?x=1` -> `/vendas?x=1`. */
export function toPath(text: string): string {
  const trimmed = text.trim();
  const path = trimmed.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/, '');
  if (path === '' && trimmed !== '') return '/';
  // The path is encoded as a browser would encode it. Characters that are encoded already are kept.
  return encodeURI(path).replaceAll('%25', '%');
}

export const toTestInput = ({ method, path, key, address, call }: TestValues) => ({
  method,
  path: toPath(path),
  key: key.trim() || null,
  address: address.trim() || null,
  call,
});
