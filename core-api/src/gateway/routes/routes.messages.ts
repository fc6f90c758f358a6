export const routeMessages = {
  serviceRequired: 'Selecione o serviço.',
  unknownService: 'O serviço informado não existe.',
  origin: 'A origem começa com / e aceita :parametro e /* no final, sem barras repetidas.',
  destination: 'O destino começa com / e aceita :parametro e /* no final, sem barras repetidas.',
  unfilled: 'O destino usa um parâmetro ou /* que a origem não tem.',
  methods: 'Escolha ao menos um método entre GET, POST, PUT, DELETE, PATCH, HEAD e OPTIONS.',
  permission: 'A permissão tem a forma recurso:acao.',
  taken: (origin: string) => `Já existe uma rota com este método e a origem ${origin}.`,
  routes: 'Envie ao menos uma rota com método, caminho e permissão.',
  notFound: 'Rota não encontrada.',
} as const;
