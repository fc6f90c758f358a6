import { listen } from '../../testing/core';
import { createOutboundDeadline, fetchDocument, OutboundError, postDocument } from './outbound';

let service: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  service = await listen((_request, response) => response.end('[]'));
});
afterAll(() => service.stop());

test.each(['127.0.0.1', 'localhost'])(
  "no document is fetched from this installation's own ports at %s",
  async (host) => {
    const { port } = service;
    const fetchDocumentFrom = (ownPorts: number[]) =>
      fetchDocument(`http://${host}:${port}/`, ownPorts, createOutboundDeadline());
    expect(await fetchDocumentFrom([])).toMatchObject({ status: 200 });
    await expect(fetchDocumentFrom([port])).rejects.toThrow(OutboundError);
    expect(await fetchDocumentFrom([port + 1])).toMatchObject({ status: 200 });
  },
);

describe('a delivery', () => {
  const post = (url: string, ownPorts: number[]) => postDocument(url, { headers: {}, body: '{}' }, ownPorts);

  test('is not sent to a port of this installation, by address or by name', async () => {
    let receivedCount = 0;
    const ownServer = await listen((_request, response) => {
      receivedCount += 1;
      response.end();
    });
    for (const host of ['127.0.0.1', 'localhost'])
      await expect(post(`http://${host}:${ownServer.port}/`, [ownServer.port])).rejects.toThrow(OutboundError);
    await expect(post('http://169.254.169.254/', [])).rejects.toThrow(OutboundError);
    expect(receivedCount).toBe(0);
    expect(await post(ownServer.url, [])).toBe(200);
    await ownServer.stop();
  });

  test('returns the status of a redirect without following it, and may take longer than the 5 s of a fetch', async () => {
    const slowServer = await listen((request, response) => {
      if (request.url === '/') setTimeout(() => response.writeHead(204).end(), 6_000);
      else response.writeHead(302, { Location: '/' }).end();
    });
    expect(await post(`${slowServer.url}/outro`, [])).toBe(302);
    expect(await post(slowServer.url, [])).toBe(204);
    await slowServer.stop();
  });
});
