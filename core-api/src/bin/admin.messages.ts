import { getCommandLine } from '../platform/installation/command-name';

export const adminMessages = {
  usage: `Uso: ${getCommandLine('admin')} create NOME | passwd NOME | list | remove NOME | replace-secret NOME [--lost] | token CONTA --scopes A,B --days DIAS [--name NOME] [--projects IDS] [--ips LISTA] [--site TIPO:NOME] [--env-file ARQUIVO]`,
  password: 'Senha (ao menos 10 caracteres): ',
  created: (name: string) => `Administrador ${name} criado.`,
  changed: (name: string) =>
    `Senha de ${name} trocada; as sessões anteriores foram encerradas e a verificação em duas etapas foi desativada.`,
  removed: (name: string) => `Administrador ${name} removido.`,
} as const;
