/** Puts load on one URL, with wrk if it is installed, otherwise with a small Node client. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled, wrk } from './measure.mjs';

const hasWrk = isInstalled('wrk');

/**
 * Sends the same request repeatedly for some seconds.
 * @param {string} url
 * @param {import('./measure.mjs').LoadOptions & { method?: string, body?: string }} options
 * @returns the fields that `wrk` of measure.mjs returns
 */
export function load(url, { method = 'GET', body, ...options }) {
  if (!hasWrk) return loadWithNode(url, { method, body, ...options });
  return body === undefined ? wrk(url, options) : loadWithScript(url, { method, body, ...options });
}

/** @param {string} url @param {import('./measure.mjs').LoadOptions & { method: string, body: string }} options */
async function loadWithScript(url, { method, body, ...options }) {
  const folder = mkdtempSync(join(tmpdir(), 'wrk-'));
  const script = join(folder, 'request.lua');
  writeFileSync(script, `wrk.method = ${JSON.stringify(method)}\nwrk.body = ${JSON.stringify(body)}\n`);
  const result = await wrk(url, { ...options, script });
  rmSync(folder, { recursive: true });
  return result;
}

/** @param {string} url @param {import('./measure.mjs').LoadOptions & { method: string, body?: string }} options */
async function loadWithNode(url, { method, body, headers = {}, seconds, connections = 64 }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times = [];
  let failed = 0;
  const end = performance.now() + seconds * 1000;
  const sendOnce = () =>
    new Promise((resolve) => {
      const startedAt = performance.now();
      const outgoing = request(url, { agent, method, headers }, (response) => {
        response.resume().once('end', () => {
          if (response.statusCode >= 400) failed += 1;
          times.push(performance.now() - startedAt);
          resolve(undefined);
        });
      });
      outgoing.once('error', () => {
        failed += 1;
        resolve(undefined);
      });
      outgoing.end(body);
    });
  const sendRepeatedly = async () => {
    while (performance.now() < end) await sendOnce();
  };
  await Promise.all(Array.from({ length: connections }, sendRepeatedly));
  agent.destroy();
  times.sort((a, b) => a - b);
  const computeQuantile = (share) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return {
    requests: times.length,
    requestsPerSecond: times.length / seconds,
    p50: computeQuantile(0.5),
    p99: computeQuantile(0.99),
    failed,
  };
}
