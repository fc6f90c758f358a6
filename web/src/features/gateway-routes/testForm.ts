import type { HttpMethod } from '../../generated/graph';
import type { FieldErrors } from '../../ui/form/useSubmit';
import { routesMessages } from './gateway-routes.messages';
import { httpMethods } from './routeForm';

const { testing: messages } = routesMessages;

export const testMethods = httpMethods;

export interface TestValues {
  method: HttpMethod;
  /** Path and query, as a client sends them. */
  path: string;
  /** The key itself; empty: none is sent. */
  key: string;
  /** Whom the request comes from; empty: from here. */
  address: string;
  /** The call itself is made, too. */
  call: boolean;
}

/** A path that an origin matches: `/vendas/pedidos/:id` -> `/vendas/pedidos/1`. */
const pathOf = (origin: string): string =>
  origin
    .split('/')
    .map((segment) => (segment.startsWith(':') || segment === '*' ? '1' : segment))
    .join('/');

export const testValues = (route?: { methods: readonly HttpMethod[]; origin: string }): TestValues => ({
  method: route?.methods[0] ?? 'GET',
  path: route ? pathOf(route.origin) : '',
  key: '',
  address: '',
  call: false,
});

/** What is pasted with its host means the path: `https://api.exemplo.com.br/vendas?x=1` -> `/vendas?x=1`. */
export function pathIn(text: string): string {
  const trimmed = text.trim();
  const path = trimmed.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/, '');
  if (path === '' && trimmed !== '') return '/';
  // As a browser or curl would send it.
  return encodeURI(path).replaceAll('%25', '%');
}

export const checkTest = ({ path }: TestValues): FieldErrors =>
  path.trim().startsWith('/') || /^https?:\/\//i.test(path.trim()) ? {} : { path: messages.pathRequired };

export const testInput = ({ method, path, key, address, call }: TestValues) => ({
  method,
  path: pathIn(path),
  key: key.trim() || null,
  address: address.trim() || null,
  call,
});
