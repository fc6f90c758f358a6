import type { Page } from 'playwright-core';
import { findFreePort } from '../../scripts/testing/program';
import { listen, type RunningServer } from '../../scripts/testing/server';
import { startWebhookReceiver } from '../../scripts/testing/webhook-receiver';
import { expectNotice } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';

let page: Page;
const { button, field } = controls(() => page);
const app = startConsole({
  environment: { HEALTH_INTERVAL_S: '1' },
  onPage: (newPage) => {
    page = newPage;
  },
});
const servers: RunningServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

test('a webhook channel is set up, shows its secret once, and receives one test message', async () => {
  const receiver = await startWebhookReceiver();
  servers.push(receiver);
  await page.goto(`${app.stack.url}/alerts`);
  await page.getByRole('link', { name: 'Criar um canal' }).click();
  await field('Nome do canal').fill('Plantão');
  await page.getByRole('radio', { name: 'Webhook' }).check({ force: true });
  await field('Endereço do webhook').fill(receiver.url);
  await button('Salvar').click();
  await expectNotice(page, 'Nada foi enviado ainda: use Testar para conferir.');
  const secret = await page.getByLabel('Segredo', { exact: true }).inputValue();
  expect(secret).toMatch(/^whsec_/);
  await button('Já guardei o segredo').click();
  await page.getByRole('cell', { name: 'Plantão', exact: true }).waitFor();
  expect(await page.content()).not.toContain(secret);
  await button('Testar Plantão').dblclick();
  await expectNotice(page, 'Mensagem de teste enviada!');
  expect(receiver.messages.map(({ body }) => body.type)).toEqual(['channel.test']);
});

test('an outage is shown, acknowledged and muted, and a mute that is already gone cannot be ended', async () => {
  const target = await listen((_request, response) => void response.end(), await findFreePort());
  servers.push(target);
  await app.stack.request('POST', '/subdomains', {
    subdomain: 'vitrine',
    description: 'Vitrine',
    type: 'proxy',
    port: target.port,
  });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${app.stack.url}/alerts`);
  await page.getByText('Nenhum alerta aberto. Um alerta só abre depois que a falha se confirma.').waitFor();
  await target.stop();
  const alert = page.getByRole('listitem').filter({ hasText: 'vitrine' });
  await alert.waitFor();
  await alert.getByText(/^Começou (agora|há)/).waitFor();
  await alert.getByRole('link', { name: 'vitrine' }).click();
  await page.getByRole('heading', { level: 1, name: /^vitrine\./ }).waitFor();
  await page.goBack();
  await alert.getByRole('button', { name: 'Assumir' }).click();
  await page.getByText('Os avisos continuam: para pará-los, use Silenciar.').waitFor();
  const dialog = page.getByRole('dialog', { name: 'Assumir alerta de vitrine' });
  await page.getByLabel('Observação').fill('a'.repeat(501));
  await dialog.getByRole('button', { name: 'Assumir' }).click();
  await dialog.getByText('A observação pode ter no máximo 500 caracteres.').waitFor();
  await page.getByLabel('Observação').fill('Reiniciando');
  await dialog.getByRole('button', { name: 'Assumir' }).click();
  await expectNotice(page, 'Alerta assumido.');
  const notice = page.getByRole('status').filter({ hasText: 'Alerta assumido.' });
  const textBox = await notice.getByText('Alerta assumido.').boundingBox(); // The button is beside this text.
  expect((await notice.getByRole('button', { name: 'Fechar' }).boundingBox())?.y).toBeLessThan(textBox?.y ?? 0);
  await alert.getByText('admin assumiu: Reiniciando').waitFor();
  const mute = alert.getByRole('button', { name: 'Silenciar' });
  // Without a border, the text of a single button would look indented below the text above it.
  expect(await mute.evaluate((element) => getComputedStyle(element).borderColor)).not.toBe('rgba(0, 0, 0, 0)');
  await mute.click();
  await field('Motivo').fill('a'.repeat(501));
  await page.getByRole('dialog').getByRole('button', { name: 'Silenciar' }).click();
  await page.getByText('O motivo pode ter no máximo 500 caracteres.').waitFor();
  await field('Motivo').fill('Troca de servidor');
  await page.getByRole('dialog').getByRole('button', { name: 'Silenciar' }).click();
  await expectNotice(page, 'Silenciado. O histórico continua a registrar.');
  await page.getByRole('heading', { name: 'Silêncios em vigor' }).waitFor();
  await page.getByText('Subdomínio vitrine: Fora do ar, Troca de servidor').waitFor();
  await alert.getByText('Silenciado', { exact: true }).waitFor();

  const mutes = (await app.stack.request('GET', '/mutes')) as { _id: string }[];
  for (const { _id } of mutes) await app.stack.request('DELETE', `/mutes/${_id}`);
  await button('Terminar').click();
  await expectNotice(page, 'Silêncio não encontrado.');
});

test('rules are sorted by name and changed, and a maintenance window is planned and removed', async () => {
  await page.goto(`${app.stack.url}/alerts?aba=regras`);
  await button('Editar Muitos erros').waitFor();
  const names = await page.locator('tbody tr > :first-child').allTextContents();
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'pt-BR')));
  await button('Editar Muitos erros').click();
  await page.getByLabel('Porcentagem').fill('20');
  await button('Salvar').click();
  await expectNotice(page, 'Regra salva com sucesso!');
  await page.getByText('Porcentagem: 20').waitFor();

  await app.stack.request('POST', '/subdomains', {
    subdomain: 'obras',
    description: 'Obras',
    type: 'proxy',
    port: await findFreePort(),
  });
  await page.goto(`${app.stack.url}/alerts?aba=manutencao`);
  await button('Nova janela').click();
  await field('Título').fill('Atualização');
  await field('Subdomínios').fill('obras');
  await page.getByLabel('Começo').fill('2030-01-06T02:00');
  await page.getByLabel('Fim').fill('2030-01-06T01:00');
  await button('Salvar').click();
  await page.getByText('O fim vem depois do começo.').waitFor();
  await page.getByLabel('Fim').fill('2030-01-06T04:00');
  await button('Salvar').click();
  await expectNotice(page, 'Janela criada com sucesso!');
  await button('Remover Atualização').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
  await expectNotice(page, 'Janela removida com sucesso!');
});

test('an emptied threshold of a rule is refused at its field', async () => {
  await page.goto(`${app.stack.url}/alerts?aba=regras`);
  await button('Editar Disco quase cheio').click();
  await page.getByLabel('GiB livres').fill('');
  await button('Salvar').click();
  await page.getByText('Preencha este campo.').waitFor();
  expect(await page.getByLabel('GiB livres').getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('Porcentagem').getAttribute('aria-invalid')).toBeNull();
});

test('a viewer sees open alerts and mutes without the buttons that change them', async () => {
  const { _id: id } = await app.stack.create('/subdomains', {
    subdomain: 'apagado',
    description: 'Apagado',
    type: 'proxy',
    port: await findFreePort(),
  });
  const muteEnd = new Date(Date.now() + 3_600_000).toISOString();
  await app.stack.create('/mutes', { subject: { type: 'subdomain', id }, until: muteEnd, reason: 'Obra' });
  const viewer = await app.openAs('vera', { role: 'viewer' });
  await viewer.goto(`${app.stack.url}/alerts`);
  await viewer.getByText('Silenciado', { exact: true }).waitFor();
  await viewer.getByRole('heading', { name: 'Silêncios em vigor' }).waitFor();
  const buttons = viewer.getByRole('tabpanel').getByRole('button');
  expect(await buttons.allTextContents()).toEqual([]);
  await viewer.context().close();
});

test('an operator may plan maintenance, but is offered no button that changes channels or rules', async () => {
  const channels = (await app.stack.request('GET', '/alert-channels')) as { _id: string }[];
  for (const { _id } of channels) await app.stack.request('DELETE', `/alert-channels/${_id}`);
  const operator = await app.openAs('olga', { role: 'operator' });
  await operator.goto(`${app.stack.url}/alerts`);
  await operator.getByText('Ninguém é avisado: não há canal.').waitFor();
  expect(await operator.getByRole('link', { name: 'Criar um canal' }).count()).toBe(0);
  await operator.goto(`${app.stack.url}/alerts?aba=canais&novo=1`);
  await operator.getByText('Nenhum canal. Sem um canal, ninguém é avisado.').waitFor();
  expect(await operator.getByRole('button', { name: /canal/ }).count()).toBe(0);
  await operator.getByRole('tab', { name: 'Regras' }).click();
  await operator.getByRole('cell', { name: 'Muitos erros', exact: true }).waitFor();
  expect(await operator.getByRole('button', { name: /^Editar/ }).count()).toBe(0);
  await operator.getByRole('tab', { name: 'Manutenção' }).click();
  await operator.getByRole('button', { name: 'Nova janela' }).waitFor();
  await operator.context().close();
});
