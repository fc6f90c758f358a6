import type { TenantChanges, TenantInput } from '../../generated/graph';
import { uiMessages } from '../../ui/ui.messages';
import type { FieldErrors } from '../../ui/useSubmit';
import { databaseName } from './databaseName';
import type { TenantOptionsQuery, TenantRowFragment } from './generated/tenants';

export type ProjectOption = TenantOptionsQuery['projects'][number];

/** What is typed in the tenant dialog. */
export interface TenantValues {
  project: string;
  name: string;
  subdomain: string;
  usePrefix: boolean;
  responsibleName: string;
  responsibleContact: string;
}

/** The form of a tenant, or of a new one (with the project's prefix by default). */
export const tenantValues = (tenant?: TenantRowFragment): TenantValues => ({
  project: tenant?.project._id ?? '',
  name: tenant?.name ?? '',
  subdomain: tenant?.subdomain ?? '',
  usePrefix: true,
  responsibleName: tenant?.responsibleName ?? '',
  responsibleContact: tenant?.responsibleContact ?? '',
});

/** What must be filled (product-spec §5). */
export function checkTenant(values: TenantValues): FieldErrors {
  const required = ['project', 'name', 'subdomain'] as const;
  return Object.fromEntries(
    required.filter((field) => !values[field].trim()).map((field) => [field, uiMessages.required]),
  );
}

/** The database name that creation will use. */
export const generatedName = ({ name, usePrefix }: TenantValues, project?: ProjectOption): string =>
  databaseName(name, usePrefix ? (project?.dbPrefix ?? '') : '');

const responsible = ({ responsibleName, responsibleContact }: TenantValues) => ({
  responsibleName: responsibleName.trim(),
  responsibleContact: responsibleContact.trim(),
});

/** What creation sends. */
export const tenantInput = (values: TenantValues, project?: ProjectOption): TenantInput => ({
  name: values.name.trim(),
  project: values.project,
  subdomain: values.subdomain.trim(),
  dbName: generatedName(values, project),
  ...responsible(values),
});

/** What an edit sends. */
export const tenantChanges = (values: TenantValues): TenantChanges => ({
  name: values.name.trim(),
  project: values.project,
  ...responsible(values),
});
