/** Usage: node http-proxy-middleware.mjs PORT UPSTREAM */
import { Agent } from 'node:http';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';

const [port, target] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
express()
  .use(createProxyMiddleware({ target, agent, changeOrigin: true }))
  .listen(Number(port), '127.0.0.1');
