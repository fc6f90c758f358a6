import type { AnswerEdit } from '../http1/types';

/** The id in an answer is the edge's own. */
export const ownRequestId: AnswerEdit = (name, _value, line) => (name === 'x-request-id' ? '' : line);

/** Of a service whose answer to pages of other origins is the gateway's. @param edit what else is done */
export const withoutCors =
  (edit: AnswerEdit): AnswerEdit =>
  (name, value, line) =>
    name.startsWith('access-control-') ? '' : edit(name, value, line);

/** With all up to the next attribute: blanks that two parts of an expression could take are read again from each of them. */
const DOMAIN = /;[ \t]*domain[ \t]*=([^;\r]*)/gi;

/** Browsers make another name of such text before they compare: a soft hyphen goes, a full-width letter becomes a plain one. */
const DISGUISE = /[%\x80-\xff]/;

/**
 * A site's or service's cookies stay with it: one for the base domain or above would reach the console and every other
 * site.
 * @param baseDomain in lower case
 */
export function hostOnlyCookies(baseDomain: string): AnswerEdit {
  const isAbove = (domain: string) => baseDomain === domain || baseDomain.endsWith(`.${domain}`);
  return (name, _value, line) => {
    if (name !== 'set-cookie') return ownRequestId(name, _value, line);
    return line.replace(DOMAIN, (attribute, said: string) => {
      const domain = said
        .trim()
        .replace(/^"?\.?/, '')
        .replace(/"$/, '');
      const canonical = domain.toLowerCase().replace(/\.$/, '');
      return DISGUISE.test(domain) || (canonical !== '' && isAbove(canonical)) ? '' : attribute;
    });
  };
}
