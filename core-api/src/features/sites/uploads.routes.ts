import { publicEndpoint, tagged } from '../../platform/http/endpoint';
import { packageMediaTypes, toPackage } from './package-types';
import { PUBLISHING_DATABASE_MS } from './sites.routes';
import { publishedResponse, uploadContentParams, uploadParams } from './sites.schema';
import type { UploadsService } from './uploads.service';

/** The calls at an upload address, whose secret is their only credential (contract §8). */
export const uploadEndpoints = (uploads: UploadsService) =>
  tagged('Versões', [
    publicEndpoint('POST /uploads/:upload', {
      summary: 'Publica um pacote por um endereço de envio, uma vez',
      params: uploadParams,
      upload: packageMediaTypes,
      status: 201,
      response: publishedResponse,
      errorStatuses: [400, 409, 413, 507],
      databaseMs: PUBLISHING_DATABASE_MS,
      run: ({ params, requestId, clientAddress: address, upload }) =>
        uploads.publish(params.upload, { requestId, address }, toPackage(upload)),
    }),
    publicEndpoint('PUT /uploads/:upload/content/:sha256', {
      summary: 'Envia um arquivo de uma lista',
      params: uploadContentParams,
      upload: ['*/*'],
      errorStatuses: [400, 409, 413, 507],
      run: ({ params, requestId, clientAddress: address, upload }) =>
        uploads.receiveContent(params.upload, { requestId, address }, params.sha256, upload.body),
    }),
    publicEndpoint('POST /uploads/:upload/complete', {
      summary: 'Conclui a versão cujos arquivos foram enviados',
      params: uploadParams,
      response: publishedResponse,
      errorStatuses: [400, 409, 507],
      databaseMs: PUBLISHING_DATABASE_MS,
      run: ({ params, requestId, clientAddress: address }) => uploads.complete(params.upload, { requestId, address }),
    }),
  ]);
