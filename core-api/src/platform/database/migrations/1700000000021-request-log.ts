import type { QueryRunner } from 'typeorm';
import { createTable, id, integer, type Migration, nullable, text } from './column-types';

/** Adds the log of the last requests at the edge. */
export class RequestLog1700000000021 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, {
      name: 'request_log',
      columns: [
        id(),
        text('at', 24),
        text('kind', 16),
        text('method', 16),
        text('path', 1024),
        integer('status'),
        text('reason', 32, nullable),
        integer('ms'),
        text('clientIp', 64),
        text('requestId', 64),
        text('keyId', 36, nullable),
        text('routeId', 36, nullable),
        text('subdomainId', 36, nullable),
        text('tenantId', 36, nullable),
        integer('weight', { default: 1 }),
      ],
      indices: [
        { columnNames: ['keyId', '_id'], name: 'request_log_key' },
        { columnNames: ['routeId', '_id'], name: 'request_log_route' },
      ],
    });
  }
}
