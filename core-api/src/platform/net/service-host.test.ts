import { parseServiceHost } from './service-host';

describe('service hosts', () => {
  test.each([
    ['http://localhost:4000', 'http://localhost:4000'],
    ['http://127.0.0.1:4000/', 'http://127.0.0.1:4000'],
    ['HTTPS://API.Exemplo.com/v1/', 'https://api.exemplo.com/v1'],
    ['http://[::1]:4000', 'http://[::1]:4000'],
    ['http://10.0.0.5:3000', 'http://10.0.0.5:3000'],
    ['http://minha_api:8080/a/b', 'http://minha_api:8080/a/b'],
    ['https://exemplo.com:443', 'https://exemplo.com'],
  ])('%s is stored as %s', (text, baseUrl) => expect(parseServiceHost(text)).toMatchObject({ baseUrl }));

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
  ])('%j is refused with the error %s', (text, error) => expect(parseServiceHost(text)).toEqual({ error }));

  test.each([
    ['http://localhost', 'localhost', 80],
    ['https://Exemplo.com/x', 'exemplo.com', 443],
    ['http://[::1]:3000/x', '::1', 3000],
  ])('the service %s has the host %s and the port %d', (text, host, port) =>
    expect(parseServiceHost(text)).toMatchObject({ host, port }),
  );
});
