export const metricsMessages = {
  range: 'O período é 1h, 24h, 7d ou 30d.',
  by: 'Agrupe por service, route ou key.',
  id: 'Informe o _id.',
  oneSubject: 'Escolha um serviço, uma rota ou uma chave, não vários.',
} as const;
