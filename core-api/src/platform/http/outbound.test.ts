import { listen } from '../../testing/core';
import { fetchDocument, OutboundError, outboundDeadline } from './outbound';

let service: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  service = await listen((_request, response) => response.end('[]'));
});
afterAll(() => service.stop());

test.each(['127.0.0.1', 'localhost'])(
  "this installation's own ports are no document's address, as %s",
  async (host) => {
    const { port } = service;
    const fetched = (ownPorts: number[]) => fetchDocument(`http://${host}:${port}/`, ownPorts, outboundDeadline());
    expect(await fetched([])).toMatchObject({ status: 200 });
    await expect(fetched([port])).rejects.toThrow(OutboundError);
    expect(await fetched([port + 1])).toMatchObject({ status: 200 });
  },
);
