import { type DomainStatus, domainStage, mostUrgent } from './domainStage';

describe('the stage of a domain', () => {
  const NOW_MS = Date.parse('2026-01-15T12:00:00.000Z');
  const host = (dns: DomainStatus['dns'], state: 'none' | 'issuing' | 'active' | 'failed', expiresAt?: string) =>
    ({
      dns,
      certificate: { state, expiresAt: expiresAt ?? null },
    }) satisfies DomainStatus;

  test.each([
    [host('missing', 'none'), 'dnsPending'],
    [host('wrong', 'active', '2027-01-01T00:00:00.000Z'), 'dnsPending'],
    [host('ok', 'none'), 'dnsOk'],
    [host('ok', 'issuing'), 'issuing'],
    [host('ok', 'failed'), 'failed'],
    [host('ok', 'active', '2026-04-15T00:00:00.000Z'), 'active'],
    [host('ok', 'active', '2026-01-20T18:00:00.000Z'), 'expiring'],
    [host('ok', 'active', '2026-01-15T11:00:00.000Z'), 'failed'],
  ])('%j is %s', (status, stage) => expect(domainStage(status, NOW_MS).stage).toBe(stage));

  test('the days until the expiry are whole ones', () => {
    expect(domainStage(host('ok', 'active', '2026-01-20T18:00:00.000Z'), NOW_MS).daysLeft).toBe(5);
  });

  test('of two hosts the one with the more urgent stage is shown', () => {
    const [good, bad] = [host('ok', 'active', '2999-01-01T00:00:00.000Z'), host('missing', 'none')];
    expect(mostUrgent([good, bad])).toBe(bad);
    expect(mostUrgent([])).toBeUndefined();
  });
});
