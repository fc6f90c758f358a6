/** Names of the kinds of alerts, for the alerts and for the audit trail. */
export const ALERT_KINDS = {
  target_down: 'Fora do ar',
  dns_wrong: 'DNS incorreto',
  dns_changed: 'DNS mudou',
  certificate_failing: 'Certificado com problema',
  own_certificate: 'Certificado da instalação',
  certificate_ending: 'Certificado perto do fim',
  errors: 'Muitos erros',
  key_expiring: 'Chave perto do fim',
  token_expiring: 'Token perto do fim',
  backup: 'Backup com problema',
  disk: 'Disco quase cheio',
  machine_gone: 'Máquina sem sinal',
  channel_failing: 'Canal com falha',
  database: 'Banco de dados fora do ar',
};
export const SEVERITIES = { critical: 'Crítica', warning: 'Atenção', info: 'Informação' };
