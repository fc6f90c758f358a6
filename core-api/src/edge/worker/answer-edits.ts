import type { AnswerEdit } from '../http1/types';

/** The id in an answer is the edge's own. */
export const ownRequestId: AnswerEdit = (name, _value, line) => (name === 'x-request-id' ? '' : line);

/** Of a service whose answer to pages of other origins is the gateway's. @param edit what else is done */
export const withoutCors =
  (edit: AnswerEdit): AnswerEdit =>
  (name, value, line) =>
    name.startsWith('access-control-') ? '' : edit(name, value, line);

const DOMAIN = /;[ \t]*domain[ \t]*=[ \t]*"?\.?([^;"\s]*)"?[ \t]*(?=;|\r\n)/gi;

/**
 * A site's or service's cookies stay with it: one for the base domain or above would reach the console and every other
 * site.
 * @param baseDomain in lower case
 */
export function hostOnlyCookies(baseDomain: string): AnswerEdit {
  const isAbove = (domain: string) => baseDomain === domain || baseDomain.endsWith(`.${domain}`);
  return (name, _value, line) => {
    if (name !== 'set-cookie') return ownRequestId(name, _value, line);
    return line.replace(DOMAIN, (attribute, domain: string) => {
      const canonical = domain.toLowerCase().replace(/\.$/, '');
      return canonical !== '' && isAbove(canonical) ? '' : attribute;
    });
  };
}
