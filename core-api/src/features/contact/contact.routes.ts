import { endpoint, publicEndpoint, withTag } from '../../platform/http/endpoint';
import * as schemas from './contact.schema';
import type { ContactService } from './contact.service';

export const contactEndpoints = (contact: ContactService) =>
  withTag('Contato', [
    publicEndpoint('POST /contact', {
      summary: 'Recebe uma mensagem do formulário de contato',
      body: schemas.contactBody,
      example: { name: 'Ana Souza', email: 'ana@exemplo.com.br', message: 'Quero lançar uma agenda online.' },
      status: 201,
      response: schemas.contactReceipt,
      errorStatuses: [429],
      run: ({ body, clientAddress }) => contact.store(body, clientAddress),
    }),
    endpoint('GET /contact', {
      access: { role: 'operator', scope: 'contacts:read' },
      summary: 'Lista as mensagens recebidas com o estado de cada entrega',
      query: schemas.contactQuery,
      response: schemas.contactPage,
      run: ({ query }) => contact.list(query),
    }),
    endpoint('PUT /contact/:id', {
      access: { role: 'operator', scope: 'contacts:write' },
      summary: 'Marca uma mensagem como tratada ou respondida, ou não',
      body: schemas.contactChanges,
      example: { answered: true },
      response: schemas.contactMessage,
      run: ({ context, params: { id }, body }) => contact.mark(context, id, body),
    }),
    endpoint('DELETE /contact/:id', {
      access: { role: 'operator', scope: 'contacts:delete' },
      summary: 'Remove uma mensagem',
      run: ({ context, params: { id } }) => contact.remove(context, id),
    }),
  ]);
