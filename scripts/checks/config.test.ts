import * as bffConfig from '../../bff/src/config';
import * as coreConfig from '../../core-api/src/platform/config/config';

/** Reads the error lines of core and BFF about one variable. Both lists are empty if the value is valid. */
function readErrors(name: string, value: string): { core: string[]; bff: string[] } {
  const violations = { core: [] as string[], bff: [] as string[] };
  try {
    coreConfig.readConfig({ [name]: value });
  } catch (error) {
    if (!(error instanceof coreConfig.ConfigError)) throw error;
    violations.core = error.violations;
  }
  try {
    bffConfig.readConfig({ [name]: value });
  } catch (error) {
    if (!(error instanceof bffConfig.ConfigError)) throw error;
    violations.bff = error.message.split('\n');
  }
  return violations;
}

const VALUES: Record<string, { accepted: string[]; refused: string[] }> = {
  BFF_PORT: { accepted: ['1', '65535', ' 80 '], refused: ['abc', '0', '-1', '80.5', '65536'] },
  CORE_PORT: { accepted: ['3002'], refused: ['x', '99999'] },
  BFF_HOST: { accepted: ['::1', '0.0.0.0'], refused: [] },
  CORE_URL: {
    accepted: ['http://core:3002', 'https://core.internal/'],
    refused: ['ftp://core', 'core:3002', 'http//x'],
  },
  BASE_DOMAIN: {
    accepted: ['Estudio.Example', 'a', 'x-y.z'],
    refused: ['not a domain', '-a', 'a.', 'a..b', 'a-.b', 'á.example'],
  },
  SITES_DOMAIN: { accepted: ['Sites.Example'], refused: ['not a domain', 'a..b'] },
  BRAND_NAME: { accepted: ['Ateliê'], refused: [' ', 'x'.repeat(101)] },
  SERVER_IP: {
    accepted: ['203.0.113.1', '2001:db8::1', '203.0.113.1, 2001:db8::1 ,'],
    refused: ['1.2.3', 'host', '010.0.0.1', '203.0.113.1 host', 'fe80::1%eth0'],
  },
  TRUSTED_PROXIES: {
    accepted: ['10.0.0.0/8, ::1 ,', '2001:db8::/32', ' , '],
    refused: ['10.0.0.0/33', 'proxy.internal', '10.0.0.0/', '::/129', '10.0.0.1/8/8'],
  },
  EDGE_ADMIN_TOKEN: { accepted: ['sixteen letters!'], refused: ['short'] },
  OTEL_EXPORTER_OTLP_ENDPOINT: { accepted: ['http://collector:4318'], refused: ['collector:4318'] },
  OTEL_EXPORTER_OTLP_PROTOCOL: { accepted: ['http/json'], refused: ['grpc'] },
  LOG_LEVEL: { accepted: ['silent', 'trace'], refused: ['loud', 'INFO'] },
};
const listCases = (kind: 'accepted' | 'refused') =>
  Object.entries(VALUES).flatMap(([name, values]) => values[kind].map((value) => [name, value] as const));

test.each(listCases('accepted'))('core and BFF accept %s=%s', (name, value) => {
  expect(readErrors(name, value)).toEqual({ core: [], bff: [] });
});

test.each(listCases('refused'))('core and BFF refuse %s=%s with the same line', (name, value) => {
  const { core, bff } = readErrors(name, value);
  expect(bff).toEqual([expect.stringMatching(new RegExp(`^${name}: .`))]);
  expect(core).toEqual(bff);
});

test('core and BFF read the same values', () => {
  const environment = { BASE_DOMAIN: 'Estudio.Example', CORE_URL: 'http://core:3002/', BRAND_NAME: ' Ateliê ' };
  const [core, bff] = [coreConfig.readConfig(environment), bffConfig.readConfig(environment)];
  expect([bff.baseDomain, bff.coreUrl, bff.brandName]).toEqual([core.BASE_DOMAIN, core.CORE_URL, core.BRAND_NAME]);
});
