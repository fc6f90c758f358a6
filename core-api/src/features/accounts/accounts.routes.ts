import { requireSession } from '../../platform/http/access/authentication';
import { endpoint, publicEndpoint, withTag } from '../../platform/http/endpoint';
import { paging } from '../../platform/http/lists/paging';
import * as schemas from './accounts.schema';
import type { AccountsService } from './accounts.service';
import type { LoginRecord } from './logins/login-record';
import type { SecondFactor } from './second-factor/second-factor';
import type { SessionsService } from './sessions/sessions.service';
import type { SudoService } from './sessions/sudo.service';

interface Services {
  accounts: Pick<AccountsService, 'hasSecondFactor'>;
  sessions: SessionsService;
  secondFactor: SecondFactor;
  sudo: SudoService;
  loginRecord: LoginRecord;
}

const personAccess = { role: 'any', scope: null, project: true, personOnly: true } as const;
const sudoAccess = { ...personAccess, sudo: true } as const;

const sessionEndpoints = ({ accounts, sessions, sudo, loginRecord }: Services) => [
  publicEndpoint('POST /login', {
    summary: 'Troca usuário e senha por um token',
    body: schemas.loginBody,
    example: { username: 'admin', password: 'uma senha longa' },
    response: schemas.sessionResponse,
    errorStatuses: [401, 429],
    noStore: true,
    run: async ({ body, clientAddress: address, requestId }) => ({
      token: await sessions.login(body, { address, requestId }),
    }),
  }),
  endpoint('POST /logout', {
    access: personAccess,
    summary: 'Encerra esta sessão',
    run: ({ principal }) => sessions.logout(requireSession(principal)),
  }),
  endpoint('GET /me', {
    access: { role: 'any', scope: null, project: true },
    summary: 'Quem está conectado',
    response: schemas.accountResponse,
    run: async ({ principal }) => ({
      ...principal,
      projects: principal.projects && [...principal.projects],
      token: principal.token && {
        ...principal.token,
        scopes: [...principal.token.scopes],
        projects: principal.token.projects && [...principal.token.projects],
      },
      totp: await accounts.hasSecondFactor(principal._id),
      sudoUntil: (principal.session && (await sudo.find(principal.session))?.endsAt) ?? null,
    }),
  }),
  endpoint('PUT /me/password', {
    access: personAccess,
    summary: 'Troca a própria senha e encerra as sessões; com keepSession responde com o token de uma nova',
    body: schemas.passwordBody,
    example: { currentPassword: 'uma senha longa', newPassword: 'outra senha longa', keepSession: true },
    response: schemas.sessionResponse.optional(),
    errorStatuses: [429],
    noStore: true,
    run: async ({ context, principal, body }) => {
      const token = await sessions.changePassword(context, principal._id, body);
      return body.keepSession ? { token } : undefined;
    },
  }),
  endpoint('POST /me/sudo', {
    access: personAccess,
    summary: 'Confirma a senha. Por algum tempo a sessão pode fazer o que exige essa confirmação',
    body: schemas.sudoBody,
    example: { password: 'uma senha longa' },
    response: schemas.sudoResponse,
    errorStatuses: [429],
    run: async ({ context, principal, body }) => ({
      sudoUntil: await sudo.elevate(context, requireSession(principal), principal._id, body),
    }),
  }),
  endpoint('GET /me/logins', {
    access: { role: 'any', scope: 'audit:read', project: true },
    summary: 'Os próprios acessos, do mais novo ao mais antigo',
    query: paging,
    response: schemas.loginsResponse,
    noStore: true,
    run: ({ principal, query }) => loginRecord.list(principal._id, query),
  }),
];

const secondFactorEndpoints = ({ sessions, secondFactor }: Services) => [
  endpoint('POST /me/totp', {
    access: sudoAccess,
    summary: 'Gera o segredo da verificação em duas etapas, ainda sem efeito',
    response: schemas.totpSetupResponse,
    errorStatuses: [409],
    noStore: true,
    run: ({ context, principal }) => secondFactor.beginSetup(context, principal._id),
  }),
  endpoint('PUT /me/totp', {
    access: sudoAccess,
    summary: 'Ativa a verificação em duas etapas e mostra os códigos de recuperação uma única vez',
    body: schemas.codeBody,
    example: { code: '123456' },
    response: schemas.recoveryCodesResponse,
    errorStatuses: [409],
    noStore: true,
    run: ({ context, principal, body }) => secondFactor.confirmSetup(context, principal._id, body.code),
  }),
  endpoint('DELETE /me/totp', {
    access: sudoAccess,
    summary: 'Desativa a verificação em duas etapas',
    body: schemas.optionalCodeBody,
    example: { code: '123456' },
    errorStatuses: [409, 429],
    run: ({ context, principal, body }) =>
      sessions.endSecondFactor(context, requireSession(principal), principal._id, body.code),
  }),
];

export const accountEndpoints = (services: Services) =>
  withTag('Contas', [...sessionEndpoints(services), ...secondFactorEndpoints(services)]);
