import { boolean, type InferOutput, object, string } from 'valibot';
import type { TenantChanges, TenantInput } from '../../../generated/graph';
import { toSiteLabel } from '../../../lib/hosts/siteLabel';
import { requiredText } from '../../../ui/form/schema/schemas';
import type { TenantOptionsQuery, TenantRowFragment } from '../generated/tenants';
import { createDatabaseName, suggestPlainDatabaseName } from './databaseName';

export type ProjectOption = TenantOptionsQuery['projects'][number];

const responsible = { responsibleName: string(), responsibleContact: string() };

/** The fields of a new tenant. Product §5 lists the required fields. */
export const newTenantSchema = object({
  project: requiredText(),
  name: requiredText(),
  subdomain: requiredText(),
  usePrefix: boolean(),
  /** Whether the user chose the proposed database name without accents and signs. */
  isPlainName: boolean(),
  ...responsible,
});
export type NewTenantValues = InferOutput<typeof newTenantSchema>;

export const createTenantValues = (project = ''): NewTenantValues => ({
  project,
  name: '',
  subdomain: '',
  usePrefix: true,
  isPlainName: false,
  responsibleName: '',
  responsibleContact: '',
});

/** The fields of an existing tenant. `project` is only compared in a conflict, because `moveTenant` changes it. */
export const tenantSchema = object({
  project: string(),
  name: requiredText(),
  ...responsible,
  healthCheck: boolean(),
  paused: boolean(),
});
export type TenantValues = InferOutput<typeof tenantSchema>;

export const toTenantValues = (tenant: TenantRowFragment): TenantValues => ({
  project: tenant.project._id,
  name: tenant.name,
  responsibleName: tenant.responsibleName ?? '',
  responsibleContact: tenant.responsibleContact ?? '',
  healthCheck: tenant.healthCheck,
  paused: tenant.paused,
});

/** The database name by the formula of product §3, and a proposal if that name requires quotes. */
export function generateDatabaseNames({ name, usePrefix }: NewTenantValues, project?: ProjectOption) {
  const generated = createDatabaseName(name, usePrefix ? (project?.dbPrefix ?? '') : '');
  const plainName = suggestPlainDatabaseName(generated);
  return { generated, proposal: plainName === generated || plainName === '' ? null : plainName };
}

export function chooseDatabaseName(values: NewTenantValues, project?: ProjectOption): string {
  const { generated, proposal } = generateDatabaseNames(values, project);
  return values.isPlainName && proposal !== null ? proposal : generated;
}

const toResponsibleInput = ({ responsibleName, responsibleContact }: Pick<TenantValues, keyof typeof responsible>) => ({
  responsibleName: responsibleName.trim(),
  responsibleContact: responsibleContact.trim(),
});

export const toTenantInput = (values: NewTenantValues, project?: ProjectOption): TenantInput => ({
  name: values.name.trim(),
  project: values.project,
  subdomain: values.subdomain.trim(),
  dbName: chooseDatabaseName(values, project),
  ...toResponsibleInput(values),
});

export const toTenantChanges = (values: TenantValues): TenantChanges => ({
  name: values.name.trim(),
  healthCheck: values.healthCheck,
  paused: values.paused,
  ...toResponsibleInput(values),
});

/** Returns the changes for a typed name: the name, and also the subdomain while it is derived from the name. */
export function changeName({ name: nameBefore, subdomain }: NewTenantValues, name: string): Partial<NewTenantValues> {
  const isDerived = subdomain === '' || subdomain === toSiteLabel(nameBefore);
  return isDerived ? { name, subdomain: toSiteLabel(name) } : { name };
}
