import { type DomainStatus, findMostUrgent, getDomainStage } from './domainStage';

describe('the stage of a domain', () => {
  const NOW_MS = Date.parse('2026-01-15T12:00:00.000Z');
  const createDomain = (
    dns: DomainStatus['dns'],
    state: 'none' | 'issuing' | 'active' | 'failed',
    expiresAt?: string,
  ) =>
    ({
      displayHost: 'padaria.com.br',
      dns,
      certificate: { state, expiresAt: expiresAt ?? null },
    }) satisfies DomainStatus;

  test.each([
    [createDomain('missing', 'none'), 'dnsPending'],
    [createDomain('unknown', 'none'), 'dnsUnknown'],
    [createDomain('wrong', 'active', '2027-01-01T00:00:00.000Z'), 'dnsPending'],
    [createDomain('ok', 'none'), 'dnsOk'],
    [createDomain('ok', 'issuing'), 'issuing'],
    [createDomain('ok', 'failed'), 'failed'],
    [createDomain('ok', 'active', '2026-04-15T00:00:00.000Z'), 'active'],
    [createDomain('ok', 'active', '2026-01-20T18:00:00.000Z'), 'expiring'],
    [createDomain('ok', 'active', '2026-01-15T11:00:00.000Z'), 'failed'],
  ])('a domain with %j has the stage %s', (status, stage) => expect(getDomainStage(status, NOW_MS).stage).toBe(stage));

  test('the days until the expiry are rounded down', () => {
    expect(getDomainStage(createDomain('ok', 'active', '2026-01-20T18:00:00.000Z'), NOW_MS).daysLeft).toBe(5);
  });

  test('the host with the most urgent stage is found', () => {
    const [active, waiting] = [
      createDomain('ok', 'active', '2999-01-01T00:00:00.000Z'),
      createDomain('missing', 'none'),
    ];
    expect(findMostUrgent([active, waiting])).toBe(waiting);
    expect(findMostUrgent([])).toBeUndefined();
  });
});
