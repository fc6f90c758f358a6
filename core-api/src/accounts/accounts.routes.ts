import { type Endpoint, endpoint, noContent, publicEndpoint } from '../http/endpoint';
import { account, codeBody, loginBody, passwordBody, recoveryCodes, session, totpSetup } from './accounts.schema';
import type { SecondFactor } from './second-factor';
import type { SessionsService } from './sessions.service';

const tag = 'Contas';

export const accountEndpoints = (sessions: SessionsService, secondFactor: SecondFactor): Endpoint[] => [
  publicEndpoint({
    method: 'post',
    path: '/login',
    tag,
    summary: 'Troca usuário e senha por um token',
    body: loginBody,
    example: { username: 'admin', password: 'uma senha longa' },
    status: 200,
    response: session,
    errorStatuses: [401, 429],
    noStore: true,
    run: async ({ body, clientAddress }) => ({
      token: await sessions.login(body, clientAddress),
    }),
  }),
  endpoint({
    method: 'post',
    path: '/logout',
    tag,
    summary: 'Encerra esta sessão',
    status: 204,
    response: noContent,
    errorStatuses: [],
    run: ({ principal }) => sessions.logout(principal.session),
  }),
  endpoint({
    method: 'get',
    path: '/me',
    tag,
    summary: 'Quem está conectado',
    status: 200,
    response: account,
    errorStatuses: [],
    run: async ({ principal }) => principal,
  }),
  endpoint({
    method: 'put',
    path: '/me/password',
    tag,
    summary: 'Troca a própria senha e encerra as outras sessões',
    body: passwordBody,
    example: { currentPassword: 'uma senha longa', newPassword: 'outra senha longa' },
    status: 204,
    response: noContent,
    errorStatuses: [429],
    run: ({ context, principal, body }) =>
      sessions.changePassword(context, principal._id, body.currentPassword, body.newPassword),
  }),
  endpoint({
    method: 'post',
    path: '/me/totp',
    tag,
    summary: 'Gera o segredo da verificação em duas etapas, ainda sem efeito',
    status: 200,
    response: totpSetup,
    errorStatuses: [409],
    noStore: true,
    run: ({ context, principal }) => secondFactor.begin(context, principal._id),
  }),
  endpoint({
    method: 'put',
    path: '/me/totp',
    tag,
    summary: 'Ativa a verificação em duas etapas e mostra os códigos de recuperação uma única vez',
    body: codeBody,
    example: { code: '123456' },
    status: 200,
    response: recoveryCodes,
    errorStatuses: [409],
    noStore: true,
    run: ({ context, principal, body }) => secondFactor.confirm(context, principal._id, body.code),
  }),
  endpoint({
    method: 'delete',
    path: '/me/totp',
    tag,
    summary: 'Desativa a verificação em duas etapas',
    body: codeBody,
    example: { code: '123456' },
    status: 204,
    response: noContent,
    errorStatuses: [409, 429],
    run: ({ context, principal, body }) => sessions.endSecondFactor(context, principal._id, body.code),
  }),
];
