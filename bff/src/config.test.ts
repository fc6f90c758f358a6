import { ConfigError, readConfig } from './config';

const readErrors = (environment: NodeJS.ProcessEnv): string[] => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
};

test('an empty environment gives the defaults of the contract', () => {
  expect(readConfig({ BRAND_NAME: '' })).toEqual({
    port: 3001,
    host: '127.0.0.1',
    coreUrl: 'http://127.0.0.1:3002',
    baseDomain: 'localhost',
    sitesDomain: 'localhost',
    brandName: 'Estúdio Sete',
    serverIps: [],
    trustedProxies: [],
    playground: true,
    logLevel: 'info',
  });
});

test('the address of the core is CORE_URL, or CORE_PORT of this machine if CORE_URL is unset', () => {
  expect(readConfig({ CORE_PORT: '4002' }).coreUrl).toBe('http://127.0.0.1:4002');
  expect(readConfig({ CORE_PORT: '4002', CORE_URL: 'https://core.internal/' }).coreUrl).toBe('https://core.internal');
});

test('TRUSTED_PROXIES accepts addresses and CIDR blocks, separated by commas', () => {
  expect(readConfig({ TRUSTED_PROXIES: ' 10.0.0.0/8, ::1 ,' }).trustedProxies).toEqual(['10.0.0.0/8', '::1']);
});

test.each([
  ['BFF_PORT', 'abc'],
  ['BFF_PORT', '0'],
  ['BFF_PORT', '80.5'],
  ['BFF_PORT', '65536'],
  ['CORE_PORT', '-1'],
  ['CORE_URL', 'ftp://core'],
  ['CORE_URL', 'core:3002'],
  ['BASE_DOMAIN', 'not a domain'],
  ['BRAND_NAME', ' '],
  ['SERVER_IP', '1.2.3'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', 'proxy.internal'],
  ['PLAYGROUND', 'yes'],
  ['LOG_LEVEL', 'loud'],
])('%s=%s gives one error line, which names the variable', (name, value) => {
  const lines = readErrors({ [name]: value });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(new RegExp(`^${name}: .`));
});

test('the error has one line for each invalid variable', () => {
  expect(readErrors({ BFF_PORT: 'x', LOG_LEVEL: 'x', SERVER_IP: 'x' })).toHaveLength(3);
});
