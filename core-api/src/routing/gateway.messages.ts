import type { RefusalReason } from './refusal-reason';

const messagesByStatus: Record<number, string> = {
  400: 'A requisição não pôde ser lida.',
  401: 'Envie uma chave de API válida no cabeçalho X-API-Key.',
  403: 'Esta chave de API não permite o acesso.',
  404: 'Nenhuma rota atende a este endereço.',
  405: 'Este método não é atendido.',
  408: 'A requisição demorou demais para chegar.',
  413: 'O corpo da requisição passa do limite.',
  414: 'O endereço da requisição passa do limite.',
  417: 'O cabeçalho Expect da requisição não é atendido aqui.',
  429: 'Há requisições demais do seu endereço ao mesmo tempo. Tente novamente em instantes.',
  431: 'Os cabeçalhos da requisição passam do limite.',
  502: 'O serviço não respondeu. Tente novamente em instantes.',
  503: 'Serviço indisponível no momento.',
  504: 'O serviço não respondeu a tempo.',
  505: 'Este endereço fala HTTP/1.1.',
  508: 'O destino da rota leva de volta ao próprio gateway.',
};

const messagesByReason: Partial<Record<RefusalReason, string>> = {
  path: 'O caminho da requisição não é válido.',
  method: 'A rota existe, mas não para este método.',
  disabled: 'Esta chave de API está desativada.',
  expired: 'Esta chave de API expirou.',
  rate_limited: 'Esta chave de API passou do limite de requisições. Tente novamente mais tarde.',
  rotated: 'Esta chave de API foi trocada: use a nova.',
};

const details = {
  address: 'O endereço de origem não está na lista desta chave.',
  permission: 'A chave não tem a permissão que a rota exige.',
} as const;

/** Returns the body of a refusal at the gateway, in the error format of the REST contract (contract §2, §5). */
export function createGatewayError(status: number, reason?: RefusalReason): { error: string; details?: string } {
  const error = (reason && messagesByReason[reason]) ?? messagesByStatus[status] ?? '';
  return reason === 'address' || reason === 'permission' ? { error, details: details[reason] } : { error };
}
