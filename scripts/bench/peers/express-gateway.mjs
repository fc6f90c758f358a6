/**
 * Usage: node express-gateway.mjs PORT UPSTREAM ADMIN_PORT
 * Runs express-gateway with its key-auth policy and prints the value of the Authorization header that it accepts.
 */
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const [port, upstream, adminPort] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'express-gateway-'));
const models = join(dirname(require.resolve('express-gateway/package.json')), 'lib/config/models');
cpSync(models, join(folder, 'models'), { recursive: true });
const write = (name, content) => writeFileSync(join(folder, name), JSON.stringify(content)); // JSON is valid YAML.
write('gateway.config.yml', {
  http: { port: Number(port), hostname: '127.0.0.1' },
  admin: { port: Number(adminPort), host: '127.0.0.1' },
  apiEndpoints: { api: { host: '*', paths: '/*' } },
  serviceEndpoints: { upstream: { url: upstream } },
  policies: ['key-auth', 'proxy'],
  pipelines: {
    main: {
      apiEndpoints: ['api'],
      policies: [{ 'key-auth': null }, { proxy: [{ action: { serviceEndpoint: 'upstream', changeOrigin: true } }] }],
    },
  },
});
write('system.config.yml', {
  db: { redis: { emulate: true, namespace: 'EG' } },
  crypto: { cipherKey: 'benchmark-only', algorithm: 'aes256', saltRounds: 10 },
  session: { secret: 'benchmark-only', resave: false, saveUninitialized: false },
  accessTokens: { timeToExpiry: 7_200_000 },
  refreshTokens: { timeToExpiry: 7_200_000 },
  authorizationCodes: { timeToExpiry: 300_000 },
});
process.env.EG_CONFIG_DIR = folder;
await require('express-gateway')().load(folder).run();

const callAdmin = async (path, body) => {
  const response = await fetch(`http://127.0.0.1:${adminPort}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
};
for (let attempt = 0; ; attempt += 1) {
  try {
    const user = await callAdmin('/users', { username: 'bench', firstname: 'bench', lastname: 'bench' });
    const { keyId, keySecret } = await callAdmin('/credentials', {
      credential: {},
      consumerId: user.username,
      type: 'key-auth',
    });
    console.log(`AUTHORIZATION apiKey ${keyId}:${keySecret}`);
    break;
  } catch (error) {
    if (attempt === 50) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
