import type { DomainStage } from './domainStage';

const STAGES: Record<DomainStage, string> = {
  failed: 'Falhou',
  dnsPending: 'Aguardando DNS',
  expiring: 'Expirando',
  dnsUnknown: 'DNS não conferido',
  dnsOk: 'DNS ok',
  issuing: 'Emitindo',
  active: 'Ativo',
};

/** Texts about the DNS and the certificate of a domain, for every screen that shows them. */
export const domainStatusMessages = {
  stages: STAGES,
  expiresIn: (days: number) => (days === 0 ? 'Expira hoje' : days === 1 ? 'Expira em 1 dia' : `Expira em ${days} dias`),
  notYet: 'Ainda não verificado.',
  missing: 'O DNS não tem registros deste nome. Crie os que estão abaixo.',
  wrong: 'O DNS aponta para outro lugar. Troque os registros pelos que estão abaixo.',
  dnsUnknown: 'O DNS não respondeu. A verificação se repete sozinha.',
  noServerIp: 'Falta SERVER_IP na instalação: não dá para conferir para onde o DNS aponta.',
  dnsOk: 'O DNS está certo. Ninguém responde por HTTPS ainda.',
  issuing: 'O DNS está certo e o certificado está sendo emitido. Costuma levar minutos.',
  failed: 'O certificado não foi emitido. Confira se as portas 80 e 443 chegam a este servidor.',
  expired: 'O certificado venceu e não foi renovado. Confira se as portas 80 e 443 chegam a este servidor.',
  expiring: 'O certificado ainda não foi renovado. Confira se as portas 80 e 443 chegam a este servidor.',
  active: 'No ar com HTTPS.',
  records: 'O que criar no provedor de DNS',
  checked: 'verificado',
  check: 'Verificar agora',
  wwwModes: [
    { value: 'serve', label: 'Os dois' },
    { value: 'to_apex', label: 'Só sem www' },
    { value: 'to_www', label: 'Só com www' },
  ],
} as const;
