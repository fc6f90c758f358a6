import { DataSource } from 'typeorm';
import { GatewayRouteMethod } from '../../features/gateway/routes/route.entity';
import { Subdomain } from '../../features/subdomains/subdomain.entity';
import { AuditRecorder } from './audit-recorder';

const { manager } = new AuditRecorder(new DataSource({ type: 'sqlite', database: ':memory:' }).manager);

test.each(['save', 'upsert', 'remove', 'increment', 'decrement', 'updateAll', 'deleteAll', 'clear'] as const)(
  '`%s` throws for an audited table and for its parts, because the audit trail would miss the change',
  (name) => {
    const write = manager[name] as (...args: unknown[]) => unknown;
    for (const target of [Subdomain, GatewayRouteMethod])
      expect(() => write.call(manager, target, {}, 'port', 1)).toThrow(`${name} would not be in the audit trail`);
  },
);

test('`save` throws for a row that is passed without its entity class', () => {
  expect(() => manager.save(new Subdomain())).toThrow('save would not be in the audit trail');
});
