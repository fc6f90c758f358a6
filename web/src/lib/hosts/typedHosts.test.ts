import { addScheme, extractDomain } from './domainName';
import { toSiteLabel } from './siteLabel';

test.each([
  ['https://www.x.com.br/loja', 'x.com.br'],
  ['http://ana@x.com.br:8080?q=1', 'x.com.br'],
  [' www.x.com.br. ', 'x.com.br'],
  ['x.com.br', 'x.com.br'],
  ['wwwx.com.br', 'wwwx.com.br'],
])('the domain in the pasted text %p is %p', (pasted, domain) => expect(extractDomain(pasted)).toBe(domain));

test.each([
  ['Clínica Vida & Saúde', 'clinica-vida-saude'],
  ["Sant'Anna", 'santanna'],
  ['Dra. Ana Paula', 'dra-ana-paula'],
  ['***', ''],
  [' https://Loja.localhost:3000/precos ', 'loja'],
  ['loja.localhost', 'loja'],
  ['https://www.padaria.com.br/loja?de=1', 'padaria-com-br'],
  ['xn--caf-dma', 'xn--caf-dma'],
  ['https://a--b.localhost/', 'a--b'],
  [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
])('the typed text %p becomes the subdomain %p', (text, label) => expect(toSiteLabel(text)).toBe(label));

test.each([
  [' localhost:4000 ', 'http://localhost:4000'],
  ['https://loja.example', 'https://loja.example'],
  [' ', ''],
])('the typed host %p becomes the URL %p', (typed, url) => expect(addScheme(typed)).toBe(url));
