import type { TenantChanges, TenantInput } from '../../generated/graph';
import type { FieldErrors } from '../../ui/form/useSubmit';
import { uiMessages } from '../../ui/ui.messages';
import { databaseName } from './databaseName';
import type { TenantOptionsQuery, TenantRowFragment } from './generated/tenants';
import { tenantLabel } from './tenantLabel';

export type ProjectOption = TenantOptionsQuery['projects'][number];

/** Fields of the tenant dialog. */
export interface TenantValues {
  project: string;
  name: string;
  subdomain: string;
  usePrefix: boolean;
  responsibleName: string;
  responsibleContact: string;
  healthCheck: boolean;
  paused: boolean;
}

/** Initial values of the dialog, for a tenant or for a new one. */
export const tenantValues = (tenant?: TenantRowFragment): TenantValues => ({
  project: tenant?.project._id ?? '',
  name: tenant?.name ?? '',
  subdomain: tenant?.subdomain ?? '',
  usePrefix: true,
  responsibleName: tenant?.responsibleName ?? '',
  responsibleContact: tenant?.responsibleContact ?? '',
  healthCheck: tenant?.healthCheck ?? true,
  paused: tenant?.paused ?? false,
});

/** Errors of required fields (product §5). */
export function checkTenant(values: TenantValues): FieldErrors {
  const required = ['project', 'name', 'subdomain'] as const;
  return Object.fromEntries(
    required.filter((field) => !values[field].trim()).map((field) => [field, uiMessages.required]),
  );
}

/** The database name that creation will use. */
export const generatedDatabaseName = ({ name, usePrefix }: TenantValues, project?: ProjectOption): string =>
  databaseName(name, usePrefix ? (project?.dbPrefix ?? '') : '');

const responsible = ({ responsibleName, responsibleContact }: TenantValues) => ({
  responsibleName: responsibleName.trim(),
  responsibleContact: responsibleContact.trim(),
});

/** The input of `createTenant`. */
export const tenantInput = (values: TenantValues, project?: ProjectOption): TenantInput => ({
  name: values.name.trim(),
  project: values.project,
  subdomain: values.subdomain.trim(),
  dbName: generatedDatabaseName(values, project),
  ...responsible(values),
});

/** The input of `updateTenant`; the project is changed by `moveTenant`. */
export const tenantChanges = (values: TenantValues): TenantChanges => ({
  name: values.name.trim(),
  healthCheck: values.healthCheck,
  paused: values.paused,
  ...responsible(values),
});

/** Changes the name; the subdomain follows as long as it is the one derived from the name. */
export function withName({ name: before, subdomain }: TenantValues, name: string): Partial<TenantValues> {
  const follows = subdomain === '' || subdomain === tenantLabel(before);
  return follows ? { name, subdomain: tenantLabel(name) } : { name };
}
