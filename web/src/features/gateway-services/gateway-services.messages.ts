const numberFormat = new Intl.NumberFormat('pt-BR');

/** The routes and keys that the removal of a service affects. */
function describeDependents({ routes, keys }: { routes: number; keys: number }): string {
  if (routes === 0) return 'Ele não tem rotas.';
  const routesText =
    routes === 1
      ? 'A rota dele também será removida'
      : `As ${numberFormat.format(routes)} rotas dele também serão removidas`;
  if (keys === 0) return `${routesText}; nenhuma chave as chama.`;
  return `${routesText}; ${keys === 1 ? '1 chave perde' : `${numberFormat.format(keys)} chaves perdem`} o acesso a elas.`;
}

/** Texts of the gateway's services (product §2, §5, §8). */
export const servicesMessages = {
  list: { title: 'Serviços Existentes', empty: 'Nenhum serviço encontrado.', nouns: ['serviço', 'serviços'] },
  columns: { name: 'Nome', host: 'Host', createdAt: 'Criado em' },
  formTitle: 'Novo serviço',
  name: 'Nome do Serviço',
  nameHint: 'Letras minúsculas, números, hífen e sublinhado. Vira o início das rotas importadas.',
  namePlaceholder: 'vendas',
  host: 'Host do Serviço',
  hostPlaceholder: 'http://localhost:4000',
  timeoutSeconds: 'Tempo limite (segundos)',
  timeoutSecondsHint: 'De 1 a 600. Depois disso a resposta é 504.',
  timeoutSecondsWrong: 'O tempo limite vai de 1 a 600 segundos.',
  maxBodyMb: 'Tamanho máximo (MB)',
  maxBodyMbHint: 'De 1 a 1024. Requisições maiores recebem 413.',
  maxBodyMbWrong: 'O tamanho máximo vai de 1 a 1024 MB.',
  extraHosts: 'Outras instâncias',
  extraHostsHint: 'Uma por linha. As requisições vão para a menos ocupada.',
  healthPath: 'Caminho de verificação',
  healthPathPlaceholder: '/healthz',
  healthPathHint: 'Perguntado a cada 5 segundos. Vazio: uma instância só sai quando recusa conexões.',
  cors: 'Origens permitidas (CORS)',
  corsPlaceholder: 'https://app.exemplo.com',
  corsHeadersPlaceholder: 'X-Pedido',
  corsHint: 'Uma por linha, ou * para qualquer uma. Vazio: o serviço responde por si.',
  corsHeaders: 'Cabeçalhos permitidos',
  corsMaxAge: 'Validade da permissão (segundos)',
  corsMaxAgeWrong: 'O navegador pode guardar a resposta de 0 a 86.400 segundos.',
  corsCredentials: 'Permitir credenciais (cookies)',
  renaming: {
    question: (routes: number) =>
      routes === 1
        ? 'O serviço tem 1 rota. O caminho público dela'
        : `O serviço tem ${routes} rotas. Os caminhos públicos`,
    keep: (name: string) => `Continuam em /${name}`,
    move: (name: string) => `Passam para /${name}`,
  },
  add: 'Adicionar Serviço',
  nameRequired: 'Informe o nome do serviço.',
  hostRequired: 'Informe o host do serviço.',
  editTitle: 'Editar serviço',
  importRoutes: 'Importar Rotas',
  showRoutes: 'Rotas',
  remove: 'Deletar',
  copyHost: 'Copiar host',
  removal: {
    message: (name: string, dependents?: { routes: number; keys: number }) =>
      `Deseja realmente deletar o serviço ${name}? ${dependents ? describeDependents(dependents) : 'As rotas dele também serão removidas.'}`,
    confirm: 'Deletar',
  },
  success: {
    created: 'Serviço criado com sucesso!',
    updated: 'Serviço atualizado com sucesso!',
    removed: 'Serviço deletado com sucesso!',
  },
  failure: {
    load: 'Falha ao carregar os serviços.',
    create: 'Falha ao criar o serviço.',
    update: 'Falha ao atualizar o serviço.',
    remove: 'Falha ao deletar o serviço.',
  },
} as const;
