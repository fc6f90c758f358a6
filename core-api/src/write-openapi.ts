/** `node core-api/dist/write-openapi.js`: writes the committed contract from the real app, without a database. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from './app';
import { readConfig } from './config';
import { createDatabase } from './database/source';
import { openApiDocument } from './http/openapi';
import { createLog } from './log';
import { entities } from './schema';

const config = readConfig({});
const { endpoints } = createApp({
  config,
  secrets: { jwt: randomBytes(32).toString('hex'), settings: randomBytes(32) },
  database: createDatabase(config, entities),
  log: createLog('silent', 'openapi'),
});
writeFileSync(join(__dirname, '../openapi.json'), `${JSON.stringify(openApiDocument(endpoints), null, 2)}\n`);
