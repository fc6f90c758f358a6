import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort, waitFor } from '../../scripts/testing/program';
import { Stack } from '../../scripts/testing/stack';
import { launchBrowser } from './support/browser';

const BOMB = `<script>
  const domain = location.hostname.split('.').slice(1).join('.');
  for (let index = 0; index < 12; index += 1) document.cookie = 'bomb' + index + '=' + 'x'.repeat(3900) + '; path=/; max-age=31536000; domain=' + domain;
</script>`;

/**
 * Starts an installation, in which one site floods its parent domain with cookies, and a browser that resolves the
 * hosts of the installation.
 */
async function startInstallation(environment: Record<string, string>, sitesDomain: string) {
  const port = await findFreePort();
  const stack = await Stack.start({
    processes: ['core', 'edge'],
    from: 'source',
    environment: { BASE_DOMAIN: 'studio.example', PORT: String(port), ...environment },
  });
  const toUrl = (host: string) => `http://${host}:${port}`;
  for (const [label, html] of Object.entries({ bomba: BOMB, vizinha: 'Vizinha' })) {
    const staticPath = join(stack.folder, 'sites', label);
    mkdirSync(staticPath, { recursive: true });
    writeFileSync(join(staticPath, 'index.html'), html);
    await stack.create('/subdomains', { subdomain: label, description: label, type: 'static', staticPath });
  }
  const origins = [`vizinha.${sitesDomain}`, 'studio.example'].map(toUrl);
  const browser = await launchBrowser([
    '--host-resolver-rules=MAP *.example 127.0.0.1',
    // Browsers accept `Clear-Site-Data` from secure origins only. In production a proxy in front of the edge terminates TLS.
    `--unsafely-treat-insecure-origin-as-secure=${origins.join(',')}`,
  ]);
  const page = await browser.newPage({ locale: 'pt-BR' });
  const openForStatus = async (host: string, path = '/') => (await page.goto(toUrl(host) + path))?.status();
  await waitFor('the sites are served', async () => (await openForStatus(`vizinha.${sitesDomain}`)) === 200);
  return {
    page,
    openForStatus,
    stop: async () => {
      await browser.close();
      await stack.stop();
    },
  };
}

test('after a site has flooded the browser with cookies, another site opens at the second attempt', async () => {
  const { page, openForStatus, stop } = await startInstallation({}, 'studio.example');
  try {
    expect(await openForStatus('bomba.studio.example')).toBe(200);
    expect(await openForStatus('vizinha.studio.example')).toBe(431);
    expect(await page.getByRole('heading').textContent()).toBe('Tente novamente');
    expect(await openForStatus('vizinha.studio.example')).toBe(200);
    expect(await openForStatus('studio.example', '/api/openapi.json')).toBe(200);
  } finally {
    await stop();
  }
});

test('cookies of sites below a separate sites domain never reach the console', async () => {
  const { openForStatus, stop } = await startInstallation({ SITES_DOMAIN: 'clientes.example' }, 'clientes.example');
  try {
    expect(await openForStatus('bomba.clientes.example')).toBe(200);
    expect(await openForStatus('studio.example', '/api/openapi.json')).toBe(200);
    expect(await openForStatus('bomba.studio.example')).toBe(404);
    expect(await openForStatus('vizinha.clientes.example')).toBe(431);
  } finally {
    await stop();
  }
});
