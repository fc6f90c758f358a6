#!/usr/bin/env node
/**
 * Publishes a folder: sends the list of its files, then only the content that the site does not have yet.
 *
 *   DEPLOY_TOKEN=… node deploy.mjs dist [--url https://estudio.com.br/api] [--message TEXT] [--no-activate] [--json]
 *
 * It needs Node 20 and nothing else. With --json the last line of the output is the response of the API.
 */
import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const DEFAULT_URL = '';
const PARALLEL = 4;
const ATTEMPTS = 4;
const WAIT_MS = 1_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    message: { type: 'string' },
    'no-activate': { type: 'boolean' },
    json: { type: 'boolean' },
  },
});

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const folder = positionals[0];
const url = (values.url ?? process.env.DEPLOY_URL ?? DEFAULT_URL).replace(/\/+$/, '');
const token = values.token ?? process.env.DEPLOY_TOKEN;
if (!folder)
  fail('Uso: DEPLOY_TOKEN=… node deploy.mjs PASTA [--url https://…/api] [--message TEXTO] [--no-activate] [--json]');
if (!url) fail('Informe o endereço da API com --url ou DEPLOY_URL.');
if (!token) fail('Informe o token de publicação em DEPLOY_TOKEN.');

const say = (text) => {
  if (!values.json) process.stdout.write(`${text}\n`);
};

/** Files below a folder, without hidden ones, which the API would leave out. */
async function listFiles(path, below = '') {
  const files = [];
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.name.startsWith('.') && name !== '.well-known') continue;
    if (entry.isDirectory()) files.push(...(await listFiles(join(path, entry.name), name)));
    else if (entry.isFile()) files.push(name);
    else fail(`${name}: só arquivos e pastas são aceitos, sem links nem dispositivos.`);
  }
  return files;
}

async function computeDigest(file) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * Sends a request. Retries after errors of the network or of a server that is not ready; any other error ends the
 * program.
 */
async function call(method, path, makeBody, type) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await fetch(url + path, {
        method,
        headers: { Authorization: `Bearer ${token}`, ...(type && { 'Content-Type': type }) },
        body: await makeBody?.(),
      });
      const text = await response.text();
      if (response.ok) return text === '' ? undefined : JSON.parse(text);
      if (response.status < 502 || response.status === 507 || attempt === ATTEMPTS) {
        let message = text;
        try {
          const { error, details } = JSON.parse(text);
          message = [error, details].filter(Boolean).join(' ');
        } catch {}
        fail(`${method} ${path}: ${response.status} ${message}`);
      }
    } catch (error) {
      if (attempt === ATTEMPTS) fail(`${method} ${path}: ${error.cause?.message ?? error.message}`);
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS * attempt));
  }
}

const files = {};
const fileByDigest = new Map();
for (const name of (await listFiles(folder)).sort()) {
  const file = join(folder, name);
  const sha256 = await computeDigest(file);
  files[name] = { sha256, size: (await stat(file)).size };
  fileByDigest.set(sha256, file);
}
say(`${Object.keys(files).length} arquivos`);

const query = new URLSearchParams({
  activate: String(!values['no-activate']),
  ...(values.message && { message: values.message }),
});
const listed = await call('POST', `/deploy?${query}`, () => JSON.stringify({ files }), 'application/json');
const missing = [...listed.missing];
const sent = missing.length;
say(`${sent} a enviar, versão ${listed.number}`);

async function sendMissing() {
  for (let digest = missing.shift(); digest !== undefined; digest = missing.shift()) {
    const file = fileByDigest.get(digest);
    await call('PUT', `/versions/${listed._id}/content/${digest}`, () => openAsBlob(file), 'application/octet-stream');
  }
}
await Promise.all(Array.from({ length: PARALLEL }, sendMissing));

const published = await call('POST', `/versions/${listed._id}/complete`);
for (const warning of [...listed.warnings, ...published.warnings]) say(`Aviso: ${warning}`);
say(`Versão ${published.number} pronta. Prévia: ${published.previewUrl}`);
if (published.live) say(published.live.state === 'active' ? 'No ar.' : `Ainda não no ar: ${published.live.reason}`);
if (values.json) process.stdout.write(`${JSON.stringify({ ...published, sent })}\n`);
