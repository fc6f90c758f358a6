import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { findFreePort, waitFor } from '../../../../../scripts/testing/program';
import { Core } from '../../../testing/core';
import { Edge } from '../../../testing/edge';
import { createKey, createRoute, createService } from '../../../testing/records';
import { GatewayClient } from './testing/gateway-client';

let core: Core;
let edge: Edge;
let gateway: GatewayClient;
beforeAll(async () => {
  core = await new Core().start();
  const { key } = await createKey(core);
  edge = await new Edge(core).start();
  gateway = new GatewayClient(edge, key);
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
});

/** An instance that can be stopped and started on the same port. */
class Instance {
  readonly hosts = new Set<string>();
  responseCount = 0;
  healthStatus = 200;
  private server: Server | undefined;
  /** Servers of all starts. A stopped server keeps each connection until its next response. */
  private readonly servers: Server[] = [];

  port = 0;

  constructor(private readonly name: string) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<this> {
    const server = createServer((request, response) => this.respond(request, response));
    // Every start uses the port of the first start.
    this.port ||= await findFreePort();
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.server = server;
    this.servers.push(server);
    return this;
  }

  private isServerListening({ socket }: IncomingMessage): boolean {
    return 'server' in socket && socket.server === this.server && this.server?.listening === true;
  }

  private respond(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    if (request.url === '/v1/health?deep') {
      response.writeHead(this.healthStatus).end();
      return;
    }
    this.responseCount += 1;
    this.hosts.add(request.headers.host ?? '');
    // A stopping instance announces the close on its last responses.
    if (!this.isServerListening(request)) response.setHeader('Connection', 'close');
    response.end(this.name);
  }

  /** Stops accepting. `close` must not close idle keep-alive connections, because a POST may be on its way. */
  drain(): void {
    const { server } = this;
    if (!server) return;
    server.closeIdleConnections = () => undefined;
    server.close();
  }

  stop(): void {
    this.drain();
    for (const server of this.servers) server.closeAllConnections();
  }
}

test('a rolling deployment of two instances loses no request, and each instance gets its own Host', async () => {
  const [instanceOne, instanceTwo] = [await new Instance('one').start(), await new Instance('two').start()];
  const pair = await createService(core, { host: instanceOne.url, extraHosts: [instanceTwo.url] });
  await createRoute(core, pair._id, '/pair');
  await gateway.waitForStatusAtEveryWorker(200, '/pair');
  let isRunning = true;
  const failures: unknown[] = [];
  const senders = Array.from({ length: 4 }, async (_, index) => {
    while (isRunning) {
      const response = await gateway.request('/pair', undefined, index % 2 ? { method: 'POST', body: 'x' } : {});
      if (response.status !== 200) failures.push([response.status, response.text]);
    }
  });
  const waitForMoreResponses = (instance: Instance) => {
    const countBefore = instance.responseCount;
    return waitFor('the instance answers', async () => instance.responseCount > countBefore + 20);
  };
  await Promise.all([waitForMoreResponses(instanceOne), waitForMoreResponses(instanceTwo)]);
  for (const [leaving, staying] of [
    [instanceOne, instanceTwo],
    [instanceTwo, instanceOne],
  ] as const) {
    leaving.drain();
    await waitForMoreResponses(staying);
    await leaving.start();
    await waitForMoreResponses(leaving);
  }
  isRunning = false;
  await Promise.all(senders);
  expect(failures).toEqual([]);
  expect([[...instanceOne.hosts], [...instanceTwo.hosts]]).toEqual([
    [`127.0.0.1:${instanceOne.port}`],
    [`127.0.0.1:${instanceTwo.port}`],
  ]);
  instanceOne.stop();
  instanceTwo.stop();
  expect((await gateway.request('/pair')).status).toBe(502);
});

test('an instance with a failed health check gets no requests while another instance is healthy', async () => {
  const [healthy, unhealthy] = [await new Instance('healthy').start(), await new Instance('unhealthy').start()];
  const checked = await createService(core, {
    host: `${healthy.url}/v1`,
    extraHosts: [`${unhealthy.url}/v1`],
    healthPath: '/health?deep',
  });
  await createRoute(core, checked._id, '/checked');
  await gateway.waitForStatusAtEveryWorker(200, '/checked');
  const readNames = async () => {
    const responses = await Promise.all(Array.from({ length: 12 }, () => gateway.request('/checked')));
    return [...new Set(responses.map(({ text }) => text))].sort().join();
  };
  await waitFor('both instances answer', async () => (await readNames()) === 'healthy,unhealthy');
  unhealthy.healthStatus = 503;
  await waitFor('only the healthy instance answers', async () => (await readNames()) === 'healthy');
  unhealthy.healthStatus = 200;
  await waitFor('both instances answer again', async () => (await readNames()) === 'healthy,unhealthy');
  healthy.stop();
  unhealthy.stop();
});
