import { boolean, type InferOutput, object, string } from 'valibot';
import type { TenantChanges, TenantInput } from '../../generated/graph';
import { siteLabel } from '../../lib/hosts/siteLabel';
import { requiredText } from '../../ui/form/schemas';
import { databaseName, plainDatabaseName } from './databaseName';
import type { TenantOptionsQuery, TenantRowFragment } from './generated/tenants';

export type ProjectOption = TenantOptionsQuery['projects'][number];

/** The fields of the tenant dialog (required ones: product §5). */
export const tenantSchema = object({
  project: requiredText(),
  name: requiredText(),
  subdomain: requiredText(),
  usePrefix: boolean(),
  /** Whether the user chose the proposed database name without accents and signs. */
  isPlainName: boolean(),
  responsibleName: string(),
  responsibleContact: string(),
  healthCheck: boolean(),
  paused: boolean(),
});

export type TenantValues = InferOutput<typeof tenantSchema>;

/** Initial values of the dialog, for a tenant or for a new one of this project. */
export const tenantValues = (tenant?: TenantRowFragment, projectId = ''): TenantValues => ({
  project: tenant?.project._id ?? projectId,
  name: tenant?.name ?? '',
  subdomain: tenant?.subdomain ?? '',
  usePrefix: true,
  isPlainName: false,
  responsibleName: tenant?.responsibleName ?? '',
  responsibleContact: tenant?.responsibleContact ?? '',
  healthCheck: tenant?.healthCheck ?? true,
  paused: tenant?.paused ?? false,
});

/** The database name by the formula of product §3, and a proposal if that name requires quotes. */
export function databaseNames({ name, usePrefix }: TenantValues, project?: ProjectOption) {
  const generated = databaseName(name, usePrefix ? (project?.dbPrefix ?? '') : '');
  const plainName = plainDatabaseName(generated);
  return { generated, proposal: plainName === generated || plainName === '' ? null : plainName };
}

/** The database name that creation will use. */
export function chosenDatabaseName(values: TenantValues, project?: ProjectOption): string {
  const { generated, proposal } = databaseNames(values, project);
  return values.isPlainName && proposal !== null ? proposal : generated;
}

const responsibleInput = ({ responsibleName, responsibleContact }: TenantValues) => ({
  responsibleName: responsibleName.trim(),
  responsibleContact: responsibleContact.trim(),
});

/** The input of `createTenant`. */
export const tenantInput = (values: TenantValues, project?: ProjectOption): TenantInput => ({
  name: values.name.trim(),
  project: values.project,
  subdomain: values.subdomain.trim(),
  dbName: chosenDatabaseName(values, project),
  ...responsibleInput(values),
});

/** The input of `updateTenant`; the project is changed by `moveTenant`. */
export const tenantChanges = (values: TenantValues): TenantChanges => ({
  name: values.name.trim(),
  healthCheck: values.healthCheck,
  paused: values.paused,
  ...responsibleInput(values),
});

/** Changes the name. The subdomain changes with it while it is derived from the name. */
export function changeName({ name: nameBefore, subdomain }: TenantValues, name: string): Partial<TenantValues> {
  const isDerived = subdomain === '' || subdomain === siteLabel(nameBefore);
  return isDerived ? { name, subdomain: siteLabel(name) } : { name };
}
