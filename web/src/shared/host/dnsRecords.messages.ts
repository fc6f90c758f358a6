import type { DnsRecord } from '../../lib/userError';

/** Texts of the records that the owner of a domain creates. */
export const dnsRecordsMessages = {
  title: (host: string) => `O que criar no provedor de DNS de ${host}`,
  type: 'Tipo',
  name: 'Nome',
  value: 'Valor',
  copyName: (name: string) => `Copiar o nome ${name}`,
  copyValue: (value: string) => `Copiar o valor ${value}`,
  publicAddress: 'IP público do servidor',
  noAddress:
    'Quem hospeda o servidor mostra o IP público no seu painel. Com SERVER_IP na instalação, ele aparece aqui.',
  wildcard: 'O certificado de um curinga é instalado por quem opera o servidor.',
  copyAll: 'Copiar instruções para o cliente',
  copied: 'Instruções copiadas.',
  instructions: (host: string, records: readonly DnsRecord[]) =>
    [
      `Para que ${host} mostre o site, crie estes registros no provedor de DNS do domínio:`,
      '',
      ...records.map(({ type, name, value }) => `Tipo: ${type}\nNome: ${name}\nValor: ${value}\n`),
      'Remova outros registros A, AAAA ou CNAME destes nomes. A mudança pode levar algumas horas.',
    ].join('\n'),
} as const;
