import { type Endpoint, endpoint } from '../http/endpoint';
import { paging } from '../http/paging';
import { contactBody, contactPage, contactReceipt } from './contact.schema';
import type { ContactService } from './contact.service';

const tag = 'Contato';

export const contactEndpoints = (contact: ContactService): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/contact',
    tag,
    summary: 'Recebe uma mensagem do formulário de contato',
    public: true,
    body: contactBody,
    example: { name: 'Ana Souza', email: 'ana@exemplo.com.br', message: 'Quero lançar uma agenda online.' },
    status: 201,
    answer: contactReceipt,
    errors: [429],
    run: ({ body, clientAddress }) => contact.store(body, clientAddress),
  }),
  endpoint({
    method: 'get',
    path: '/contact',
    tag,
    summary: 'Lista as mensagens recebidas com o estado de cada entrega',
    query: paging,
    status: 200,
    answer: contactPage,
    errors: [],
    run: ({ query }) => contact.list(query),
  }),
];
