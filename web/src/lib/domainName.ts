/** Extracts the domain from a pasted text: `https://www.x.com.br/loja` is `x.com.br`. A name stays as it is. */
export function domainName(text: string): string {
  const name = text
    .trim()
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, '')
    .replace(/[/?#].*$/, '')
    .replace(/^.*@/, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '');
  return name.replace(/^www\./i, '');
}
