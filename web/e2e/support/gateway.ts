import type { Stack } from '../../../scripts/testing/stack';

/** Creates the service `estoque`, whose only route requires the permission `itens:ler`. */
export async function createRoute(stack: Stack): Promise<void> {
  const service = await stack.create('/gateway/admin/services', { name: 'estoque', host: 'http://127.0.0.1:4999' });
  await stack.create('/gateway/admin/routes', {
    serviceId: service._id,
    origin: '/estoque/itens',
    destination: '/itens',
    methods: ['GET'],
    permission: 'itens:ler',
  });
}
