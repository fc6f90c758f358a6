import { z } from 'zod';
import { endpoint, withTag } from '../../../platform/http/endpoint';
import * as schemas from '../alerts.schema';
import type { AlertRulesService } from './alert-rules.service';

export const alertRuleEndpoints = (rules: AlertRulesService) =>
  withTag('Alertas', [
    endpoint('GET /alert-rules', {
      access: { role: 'viewer', scope: 'alerts:read' },
      summary: 'Lista as regras dos alertas',
      response: z.array(schemas.ruleResponse),
      run: () => rules.list(),
    }),
    endpoint('POST /alert-rules', {
      access: { role: 'administrator', scope: 'alerts:write' },
      summary: 'Cria a regra de um assunto',
      body: schemas.ruleBody,
      example: { kind: 'errors', subject: { type: 'subdomain', id: 'loja' }, thresholds: { percent: 10 } },
      status: 201,
      response: schemas.ruleResponse,
      errorStatuses: [409],
      run: ({ context, body }) => rules.create(context, body),
    }),
    endpoint('PUT /alert-rules/:id', {
      access: { role: 'administrator', scope: 'alerts:write' },
      summary: 'Altera uma regra',
      body: schemas.ruleChanges,
      example: { severity: 'critical' },
      response: schemas.ruleResponse,
      ifMatch: true,
      run: ({ context, params: { id }, body }) => rules.update(context, id, body),
    }),
    endpoint('DELETE /alert-rules/:id', {
      access: { role: 'administrator', scope: 'alerts:write' },
      summary: 'Remove a regra de um assunto',
      errorStatuses: [409],
      run: ({ context, params: { id } }) => rules.remove(context, id),
    }),
  ]);
