import { type Endpoint, noContent, publicEndpoint } from '../../platform/http/endpoint';
import { packageMediaTypes, packageTypeOf } from './package-types';
import { PUBLISHING_DATABASE_MS } from './sites.routes';
import { publishedResponse, uploadContentParams, uploadParams } from './sites.schema';
import type { UploadsService } from './uploads.service';

const tag = 'Versões';

/** The calls at an upload address, whose secret is their only credential (contract §8). */
export const uploadEndpoints = (uploads: UploadsService): Endpoint[] => [
  publicEndpoint({
    method: 'post',
    path: '/uploads/:upload',
    tag,
    summary: 'Publica um pacote por um endereço de envio, uma vez',
    params: uploadParams,
    upload: packageMediaTypes,
    status: 201,
    response: publishedResponse,
    errorStatuses: [400, 404, 409, 413, 507],
    databaseMs: PUBLISHING_DATABASE_MS,
    run: ({ params, requestId, clientAddress: address, upload }) =>
      uploads.publish(
        params.upload,
        { requestId, address },
        { type: packageTypeOf(upload.mediaType), body: upload.body },
      ),
  }),
  publicEndpoint({
    method: 'put',
    path: '/uploads/:upload/content/:sha256',
    tag,
    summary: 'Envia um arquivo de uma lista',
    params: uploadContentParams,
    upload: ['*/*'],
    status: 204,
    response: noContent,
    errorStatuses: [400, 404, 409, 413, 507],
    run: ({ params, requestId, clientAddress: address, upload }) =>
      uploads.receiveContent(params.upload, { requestId, address }, params.sha256, upload.body),
  }),
  publicEndpoint({
    method: 'post',
    path: '/uploads/:upload/complete',
    tag,
    summary: 'Conclui a versão cujos arquivos foram enviados',
    params: uploadParams,
    status: 200,
    response: publishedResponse,
    errorStatuses: [400, 404, 409, 507],
    databaseMs: PUBLISHING_DATABASE_MS,
    run: ({ params, requestId, clientAddress: address }) => uploads.complete(params.upload, { requestId, address }),
  }),
];
