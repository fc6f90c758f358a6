/** Texts of the frame around the gateway's services and routes (product §2). */
export const gatewayMessages = {
  title: 'Gerenciamento do Gateway',
  subtitle: 'Os serviços por trás da API e as rotas que levam até eles.',
  tabs: { label: 'Seções do gateway', services: 'Serviços', routes: 'Rotas' },
} as const;
