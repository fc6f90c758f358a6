import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entities } from '../../app/entities';
import { readConfig } from '../config/config';
import { createCommandContext, createDatabase } from '../database/database';
import { loadSecrets } from './load-secrets';
import { replaceSecret } from './replace-secret';
import { readOrCreateText } from './secret-file';
import { readSecretTexts } from './secrets';

const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const KEY = 'c'.repeat(64);
const OTHER_KEY = Buffer.alloc(32, 7).toString('base64');
const context = createCommandContext('test');
const unsetVariables = { JWT_SECRET: undefined, SETTINGS_KEY: undefined };

describe('a secret file', () => {
  test('is complete and readable by its owner only, with any umask, and leaves no temporary file', () => {
    for (const umask of [0o000, 0o077, 0o777]) {
      const earlierUmask = process.umask(umask);
      const path = join(folder, `u${umask}`, 'jwt.secret');
      mkdirSync(join(folder, `u${umask}`), { mode: 0o700 });
      chmodSync(join(folder, `u${umask}`), 0o700); // The umask may have removed bits of the mode.
      expect(readOrCreateText(path, () => 'x'.repeat(64))).toBe('x'.repeat(64));
      process.umask(earlierUmask);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(readdirSync(join(folder, `u${umask}`))).toEqual(['jwt.secret']);
    }
  });

  test('is used unchanged if another process created the file first', () => {
    const path = join(folder, 'first.secret');
    const text = readOrCreateText(path, () => {
      writeFileSync(path, 'o do outro');
      return 'o nosso';
    });
    expect([text, readFileSync(path, 'utf8')]).toEqual(['o do outro', 'o do outro']);
  });

  test.each([
    ['jwt.secret', '', 'JWT_SECRET'],
    ['jwt.secret', 'abc', 'JWT_SECRET'],
    ['settings.key', '', 'SETTINGS_KEY'],
    ['settings.key', 'abcd', 'SETTINGS_KEY'],
  ])(
    '%s with the text "%s" makes the start fail with a line that names the file and its variable',
    (file, text, variable) => {
      const DATA_DIR = mkdtempSync(join(folder, 'cut-'));
      writeFileSync(join(DATA_DIR, file), text);
      const line = new RegExp(`^${variable}: .*${file}`);
      expect(() => readSecretTexts({ ...unsetVariables, DATA_DIR })).toThrow(line);
      expect(readFileSync(join(DATA_DIR, file), 'utf8')).toBe(text);
    },
  );
});

test.each([
  ['JWT_SECRET', 'curto'],
  ['SETTINGS_KEY', 'abcd'],
  ['SETTINGS_KEY', 'x'.repeat(64)],
])('the variable %s=%s is refused', (variable, value) => {
  expect(() => readConfig({ [variable]: value })).toThrow(new RegExp(`^${variable}: `));
});

describe('a database', () => {
  test('opens only with the secrets of its first start, whose key may be in hexadecimal or base64', async () => {
    const installation = { DATA_DIR: join(folder, 'agreed'), JWT_SECRET: 's'.repeat(32), SETTINGS_KEY: KEY };
    const database = createDatabase({ ...installation, DATABASE_URL: undefined }, entities);
    await database.open({ migrate: true });
    const { settings } = await loadSecrets(installation, database);
    const base64Config = { ...installation, SETTINGS_KEY: Buffer.from(KEY, 'hex').toString('base64') };
    expect((await loadSecrets(base64Config, database)).settings).toEqual(settings);
    for (const changedSecret of [{ JWT_SECRET: 'o'.repeat(32) }, { SETTINGS_KEY: OTHER_KEY }]) {
      const [[name, value] = ['', '']] = Object.entries(changedSecret);
      const error: unknown = await loadSecrets({ ...installation, ...changedSecret }, database).catch(
        (reason: unknown) => reason,
      );
      expect(String(error)).toMatch(new RegExp(`${name}: não é o segredo`));
      expect(String(error)).not.toContain(value);
    }
    await database.close();
  });

  test('accepts only the new JWT_SECRET after a replacement', async () => {
    const config = { ...unsetVariables, DATA_DIR: join(folder, 'signed'), JWT_SECRET: 's'.repeat(32) };
    const database = createDatabase({ ...config, DATABASE_URL: undefined }, entities);
    await database.open({ migrate: true });
    await loadSecrets(config, database);
    await replaceSecret(context, config, database, { name: 'JWT_SECRET', text: 'n'.repeat(32), isLost: false });
    await expect(loadSecrets(config, database)).rejects.toThrow(/^JWT_SECRET/);
    expect((await loadSecrets({ ...config, JWT_SECRET: 'n'.repeat(32) }, database)).jwt).toBe('n'.repeat(32));
    await database.close();
  });

  test('opens with a new key whose file was not renamed before a crash', async () => {
    const config = { ...unsetVariables, DATA_DIR: join(folder, 'replaced') };
    const database = createDatabase({ ...config, DATABASE_URL: undefined }, entities);
    await database.open({ migrate: true });
    await loadSecrets(config, database);
    const path = join(config.DATA_DIR, 'settings.key');
    const oldText = readFileSync(path, 'utf8');
    const { text } = await replaceSecret(context, config, database, { name: 'SETTINGS_KEY', isLost: false });
    writeFileSync(`${path}.new`, text);
    writeFileSync(path, oldText);
    expect((await loadSecrets(config, database)).settings.toString('hex')).toBe(text);
    expect([readFileSync(path, 'utf8'), existsSync(`${path}.new`)]).toEqual([text, false]);
    await database.close();
  });
});
