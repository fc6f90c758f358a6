export const routeMessages = {
  serviceRequired: 'Selecione o serviço.',
  unknownService: 'O serviço informado não existe.',
  origin: 'A origem começa com / e aceita :parametro, não {parametro}, e /* no final, sem barras repetidas.',
  destination: 'O destino começa com / e aceita :parametro, não {parametro}, e /* no final, sem barras repetidas.',
  unfilled: 'O destino usa um parâmetro ou /* que a origem não tem.',
  methods: 'Escolha ao menos um método entre GET, POST, PUT, DELETE, PATCH, HEAD e OPTIONS.',
  permission: 'A permissão tem a forma recurso:acao.',
  routeTaken: (origin: string) => `Já existe uma rota com este método e a origem ${origin}.`,
  takenBelow: (name: string) => `Já existe uma rota com este método e a mesma origem abaixo de /${name}.`,
  public: 'Informe se a rota é pública: true ou false.',
  routes: 'Envie de 1 a 5.000 rotas com método, caminho e permissão, ou rotas para remover.',
  remove: 'Envie os _id das rotas a remover.',
  notOwn: 'Uma das rotas a remover é de outro serviço.',
  notFound: 'Rota não encontrada.',
  /** A search for this word, which the console shows at public routes, finds these routes. */
  isPublic: 'Pública',
} as const;
