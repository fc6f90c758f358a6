import { type Endpoint, endpoint, noContent } from '../http/endpoint';
import { account, loginBody, passwordBody, session } from './accounts.schema';
import type { AccountsService } from './accounts.service';

const tag = 'Contas';

export const accountEndpoints = (accounts: AccountsService): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/login',
    tag,
    summary: 'Troca usuário e senha por um token',
    public: true,
    body: loginBody,
    example: { username: 'admin', password: 'uma senha longa' },
    status: 200,
    answer: session,
    errors: [401, 429],
    noStore: true,
    run: async ({ body, clientAddress }) => ({
      token: await accounts.login(body.username, body.password, clientAddress),
    }),
  }),
  endpoint({
    method: 'get',
    path: '/me',
    tag,
    summary: 'Quem está conectado',
    status: 200,
    answer: account,
    errors: [],
    run: async ({ account: own }) => own,
  }),
  endpoint({
    method: 'put',
    path: '/me/password',
    tag,
    summary: 'Troca a própria senha e encerra as outras sessões',
    body: passwordBody,
    example: { currentPassword: 'uma senha longa', newPassword: 'outra senha longa' },
    status: 204,
    answer: noContent,
    errors: [],
    run: ({ account: own, body }) => accounts.changePassword(own, body.currentPassword, body.newPassword),
  }),
];
