/** Usage: node fastify.mjs PORT UPSTREAM */
import proxy from '@fastify/http-proxy';
import fastify from 'fastify';

const [port, upstream] = process.argv.slice(2);
const app = fastify();
app.register(proxy, { upstream, undici: { connections: 64 } });
await app.listen({ port: Number(port), host: '127.0.0.1' });
