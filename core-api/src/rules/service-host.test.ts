import { parseServiceHost } from './service-host';

describe('service hosts', () => {
  const parse = (text: string) => parseServiceHost(text, [3000, 3002, 80]);

  test.each([
    ['http://localhost:4000', 'http://localhost:4000'],
    ['http://127.0.0.1:4000/', 'http://127.0.0.1:4000'],
    ['HTTPS://API.Exemplo.com/v1/', 'https://api.exemplo.com/v1'],
    ['http://[::1]:4000', 'http://[::1]:4000'],
    ['http://10.0.0.5:3000', 'http://10.0.0.5:3000'],
    ['http://minha_api:8080/a/b', 'http://minha_api:8080/a/b'],
    ['https://exemplo.com:443', 'https://exemplo.com'],
  ])('%s is kept as %s', (text, host) => expect(parse(text)).toEqual({ host }));

  test.each([
    ['', 'syntax'],
    ['exemplo.com', 'syntax'],
    ['ftp://exemplo.com', 'syntax'],
    ['javascript:alert(1)', 'syntax'],
    ['http://', 'syntax'],
    ['http://exemplo.com?a=1', 'syntax'],
    ['http://exemplo.com#a', 'syntax'],
    ['http://user:pw@exemplo.com', 'syntax'],
    ['http://exemplo.com\\@outro.com', 'syntax'],
    ['http://exemplo .com', 'syntax'],
    ['http://exemplo.com:99999', 'syntax'],
    ['http://2852039166', 'syntax'],
    ['http://0xa9.254.169.254', 'syntax'],
    ['http://127.1:4000', 'syntax'],
    ['http://169.254.169.254/latest', 'forbidden'],
    ['http://[::ffff:169.254.169.254]', 'forbidden'],
    ['http://[fe80::1]', 'forbidden'],
    ['http://0.0.0.0:4000', 'forbidden'],
    ['http://metadata.google.internal', 'forbidden'],
    ['http://localhost:3000', 'own'],
    ['http://127.9.9.9:3002', 'own'],
    ['http://[::1]:3000/x', 'own'],
    ['http://[::ffff:127.0.0.1]:3000', 'own'],
    ['http://localhost', 'own'],
  ])('%j is refused: %s', (text, fault) => expect(parse(text)).toEqual({ fault }));
});
