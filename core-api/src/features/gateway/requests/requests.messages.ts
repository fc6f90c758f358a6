export const requestLogMessages = {
  id: 'Informe o _id.',
  status: 'Informe um status como 404, uma classe como 4xx, ou refused.',
  since: 'Informe o instante como 2026-01-15T12:30:00Z.',
  limit: 'O limite vai de 1 a 500.',
} as const;
