import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/**
 * Sends one request on a connection of its own, by HTTPS if `options` has a `ca`. Without a response, the status is 0 and
 * the text is the error.
 * @param {import('node:https').RequestOptions} options
 * @param {Buffer | object} [body] an object is sent as JSON
 */
export const sendRequest = ({ headers, ...options }, body) =>
  new Promise((resolve) => {
    const resolveFailure = (error) => resolve({ status: 0, text: `${error}`, headers: {}, certificate: {} });
    const isJson = body !== undefined && !Buffer.isBuffer(body);
    const outgoing = (options.ca ? requestHttps : requestHttp)(
      {
        agent: false,
        timeout: 60_000,
        ...options,
        headers: { ...(isJson && { 'Content-Type': 'application/json' }), ...headers },
      },
      async (response) => {
        const certificate = /** @type {import('node:tls').TLSSocket} */ (response.socket).getPeerCertificate?.() ?? {};
        let text = '';
        try {
          for await (const piece of response) text += piece;
          resolve({ status: response.statusCode, text, headers: response.headers, certificate });
        } catch (error) {
          resolveFailure(error);
        }
      },
    );
    outgoing.once('timeout', () => outgoing.destroy(new Error('no response within 60 s')));
    outgoing.once('error', resolveFailure);
    outgoing.end(isJson ? JSON.stringify(body) : body);
  });
