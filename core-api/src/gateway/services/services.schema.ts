import { z } from 'zod';
import { requiredText } from '../../http/fields';
import { serviceMessages as messages } from './services.messages';

/** POST /gateway/admin/services; the host is checked by the service, which knows this installation's ports. */
export const serviceBody = z.object({
  name: requiredText(100, messages.nameRequired, messages.name).regex(/^[a-z0-9_-]+$/, messages.name),
  host: requiredText(255, messages.hostRequired, messages.host),
});
export type ServiceBody = z.output<typeof serviceBody>;

export const serviceChanges = serviceBody.partial();
export type ServiceChanges = z.output<typeof serviceChanges>;

export const serviceAnswer = z
  .object({ _id: z.uuid(), name: z.string(), host: z.string(), createdAt: z.iso.datetime() })
  .meta({
    id: 'GatewayService',
    examples: [
      {
        _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
        name: 'vendas',
        host: 'http://localhost:4000',
        createdAt: '2026-01-15T12:30:00.000Z',
      },
    ],
  });
