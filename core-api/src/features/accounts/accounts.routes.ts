import { sessionOf } from '../../platform/http/authentication';
import { type Endpoint, endpoint, noContent, publicEndpoint } from '../../platform/http/endpoint';
import { paging } from '../../platform/http/paging';
import {
  account,
  codeBody,
  loginBody,
  logins,
  optionalCodeBody,
  passwordBody,
  recoveryCodes,
  session,
  sudo,
  sudoBody,
  totpSetup,
} from './accounts.schema';
import type { AccountsService } from './accounts.service';
import type { LoginRecord } from './login-record';
import type { SecondFactor } from './second-factor';
import type { SessionsService } from './sessions.service';
import type { SudoService } from './sudo.service';

const tag = 'Contas';

interface Services {
  accounts: Pick<AccountsService, 'hasSecondFactor'>;
  sessions: SessionsService;
  secondFactor: SecondFactor;
  sudo: SudoService;
  loginRecord: LoginRecord;
}

const forPersons = { role: 'any', scope: null, project: true, personOnly: true } as const;
const withSudo = { ...forPersons, sudo: true } as const;

export const accountEndpoints = ({
  accounts,
  sessions,
  secondFactor,
  sudo: sudoService,
  loginRecord,
}: Services): Endpoint[] => [
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
    run: async ({ body, clientAddress: address, requestId }) => ({
      token: await sessions.login(body, { address, requestId }),
    }),
  }),
  endpoint({
    method: 'post',
    path: '/logout',
    access: forPersons,
    tag,
    summary: 'Encerra esta sessão',
    status: 204,
    response: noContent,
    errorStatuses: [],
    run: ({ principal }) => sessions.logout(sessionOf(principal)),
  }),
  endpoint({
    method: 'get',
    path: '/me',
    access: { role: 'any', scope: null, project: true },
    tag,
    summary: 'Quem está conectado',
    status: 200,
    response: account,
    errorStatuses: [],
    run: async ({ principal }) => ({
      ...principal,
      projects: principal.projects && [...principal.projects],
      token: principal.token && {
        ...principal.token,
        scopes: [...principal.token.scopes],
        projects: principal.token.projects && [...principal.token.projects],
      },
      totp: await accounts.hasSecondFactor(principal._id),
      sudoUntil: principal.session && (await sudoService.until(principal.session)),
    }),
  }),
  endpoint({
    method: 'put',
    path: '/me/password',
    access: forPersons,
    tag,
    summary: 'Troca a própria senha e encerra as sessões; com keepSession responde com o token de uma nova',
    body: passwordBody,
    example: { currentPassword: 'uma senha longa', newPassword: 'outra senha longa', keepSession: true },
    status: 200,
    response: session.optional(),
    errorStatuses: [429],
    noStore: true,
    run: async ({ context, principal, body }) => {
      const token = await sessions.changePassword(context, principal._id, body.currentPassword, body.newPassword);
      return body.keepSession ? { token } : undefined;
    },
  }),
  endpoint({
    method: 'post',
    path: '/me/sudo',
    access: forPersons,
    tag,
    summary: 'Confirma a senha: por algum tempo esta sessão pode o que pede isso',
    body: sudoBody,
    example: { password: 'uma senha longa' },
    status: 200,
    response: sudo,
    errorStatuses: [429],
    run: async ({ context, principal, body }) => ({
      sudoUntil: await sudoService.elevate(context, sessionOf(principal), principal._id, body),
    }),
  }),
  endpoint({
    method: 'get',
    path: '/me/logins',
    access: { role: 'any', scope: 'audit:read', project: true },
    tag,
    summary: 'Os próprios acessos, do mais novo ao mais antigo',
    query: paging,
    status: 200,
    response: logins,
    errorStatuses: [],
    noStore: true,
    run: ({ principal, query }) => loginRecord.list(principal._id, query),
  }),
  endpoint({
    method: 'post',
    path: '/me/totp',
    access: withSudo,
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
    access: withSudo,
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
    access: withSudo,
    tag,
    summary: 'Desativa a verificação em duas etapas',
    body: optionalCodeBody,
    example: { code: '123456' },
    status: 204,
    response: noContent,
    errorStatuses: [409, 429],
    run: ({ context, principal, body }) =>
      sessions.endSecondFactor(context, sessionOf(principal), principal._id, body.code),
  }),
];
