/** Writes the committed OpenAPI document from the real app, without a database. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from '../app/app';
import { entities } from '../app/entities';
import { readConfig } from '../platform/config/config';
import { createDatabase } from '../platform/database/database';
import { createOpenApiDocument } from '../platform/http/openapi/openapi';
import { createLog } from '../platform/log/log';

const config = readConfig({});
const { endpoints } = createApp({
  config,
  machineId: 'machine',
  secrets: { jwt: randomBytes(32).toString('hex'), settings: randomBytes(32) },
  database: createDatabase(config, entities),
  log: createLog('silent', 'openapi'),
});
writeFileSync(join(__dirname, '../../openapi.json'), `${JSON.stringify(createOpenApiDocument(endpoints), null, 2)}\n`);
