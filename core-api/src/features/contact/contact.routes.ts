import { type Endpoint, endpoint, noContent, publicEndpoint } from '../../platform/http/endpoint';
import { idParams } from '../../platform/http/fields';
import {
  contactBody,
  contactChanges,
  contactMessage,
  contactPage,
  contactQuery,
  contactReceipt,
} from './contact.schema';
import type { ContactService } from './contact.service';

const tag = 'Contato';

export const contactEndpoints = (contact: ContactService): Endpoint[] => [
  publicEndpoint({
    method: 'post',
    path: '/contact',
    tag,
    summary: 'Recebe uma mensagem do formulário de contato',
    body: contactBody,
    example: { name: 'Ana Souza', email: 'ana@exemplo.com.br', message: 'Quero lançar uma agenda online.' },
    status: 201,
    response: contactReceipt,
    errorStatuses: [429],
    run: ({ body, clientAddress }) => contact.store(body, clientAddress),
  }),
  endpoint({
    method: 'get',
    path: '/contact',
    access: { role: 'operator', scope: 'contacts:read' },
    tag,
    summary: 'Lista as mensagens recebidas com o estado de cada entrega',
    query: contactQuery,
    status: 200,
    response: contactPage,
    errorStatuses: [],
    run: ({ query }) => contact.list(query),
  }),
  endpoint({
    method: 'put',
    path: '/contact/:id',
    access: { role: 'operator', scope: 'contacts:write' },
    tag,
    summary: 'Marca uma mensagem como tratada ou respondida, ou não',
    params: idParams,
    body: contactChanges,
    example: { answered: true },
    status: 200,
    response: contactMessage,
    errorStatuses: [404],
    run: ({ context, params: { id }, body }) => contact.mark(context, id, body),
  }),
  endpoint({
    method: 'delete',
    path: '/contact/:id',
    access: { role: 'operator', scope: 'contacts:delete' },
    tag,
    summary: 'Remove uma mensagem',
    params: idParams,
    status: 204,
    response: noContent,
    errorStatuses: [404],
    run: ({ context, params: { id } }) => contact.remove(context, id),
  }),
];
