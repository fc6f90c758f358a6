import { Button, chakra } from '@chakra-ui/react';
import { Link } from 'react-router';
import { useQueryState } from '../../../lib/graphql/query/useQueryState';
import { markRecentlyCreated } from '../../../lib/notifications/recentlyCreated';
import { paths, withParams } from '../../../lib/routing/paths';
import { FormDialog } from '../../../ui/dialog/FormDialog';
import { LoadFailed } from '../../../ui/feedback/QueryState';
import { CheckField } from '../../../ui/form/fields/checkFields';
import { toRowOptions } from '../../../ui/form/fields/rowOptions';
import { SelectField } from '../../../ui/form/fields/SelectField';
import { SubdomainField } from '../../../ui/form/fields/SubdomainField';
import { TextField } from '../../../ui/form/fields/textFields';
import type { FormFields } from '../../../ui/form/formFields';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import { useCreateTenantMutation, useTenantOptionsQuery } from '../generated/tenants';
import { tenantsMessages } from '../tenants.messages';
import { useNotifyTenant } from '../useNotifyTenant';
import { ResponsibleFields } from './ResponsibleFields';
import {
  changeName,
  chooseDatabaseName,
  createTenantValues,
  generateDatabaseNames,
  type NewTenantValues,
  newTenantSchema,
  type ProjectOption,
  toTenantInput,
} from './tenantForm';

const { dialog: messages, failure, success } = tenantsMessages;

interface DatabaseFieldsProps {
  form: FormFields<NewTenantValues>;
  /** The chosen project; undefined until a project is chosen. */
  project: ProjectOption | undefined;
}

/** Shows the name of the tenant's database. If that name requires quotes, a button offers a plain name. */
function DatabaseFields({ form: { watch, errors, change, check }, project }: DatabaseFieldsProps) {
  const values = watch();
  const { isPlainName, usePrefix } = values;
  const { proposal } = generateDatabaseNames(values, project);
  return (
    <>
      <CheckField
        {...check('usePrefix', messages)}
        checked={usePrefix && project?.dbPrefix !== ''}
        disabled={!project?.dbPrefix}
      />
      <TextField
        label={messages.dbName}
        value={chooseDatabaseName(values, project)}
        error={errors.dbName}
        hint={
          <>
            {messages.dbNameHint} {messages.dbNameUse}
            {proposal !== null && !isPlainName && (
              <chakra.span display="block" color="orange.fg">
                {messages.dbNameQuoted}
              </chakra.span>
            )}
          </>
        }
        readOnly
      />
      {proposal !== null && (
        <Button
          justifySelf="start"
          maxW="100%"
          overflowWrap="anywhere"
          variant="outline"
          size="sm"
          // The second click of a double click would undo the choice.
          onClick={({ detail }) => detail < 2 && change({ isPlainName: !isPlainName })}
        >
          {isPlainName ? messages.takeGeneratedName : messages.takePlainName(proposal)}
        </Button>
      )}
    </>
  );
}

interface CreateTenantDialogProps {
  projectId?: string;
  onChanged: () => Promise<unknown>;
  onClose: () => void;
}

export function CreateTenantDialog({ projectId, onChanged, onClose }: CreateTenantDialogProps) {
  const { data: options, state } = useQueryState(useTenantOptionsQuery(), { failureMessage: failure.load });
  const [create] = useCreateTenantMutation();
  const notifyTenant = useNotifyTenant();
  const findProject = (id: string) => options?.projects.find(({ _id }) => _id === id);
  const form = useAppForm({
    draft: 'tenants:novo',
    initial: createTenantValues(projectId),
    schema: newTenantSchema,
    failureMessage: failure.save,
    isFailureNotified: true,
    send: async (values) => {
      const { data } = await create({ variables: { input: toTenantInput(values, findProject(values.project)) } });
      markRecentlyCreated(data?.createTenant._id);
      await onChanged();
      return data?.createTenant;
    },
    onSaved: (created) => {
      onClose();
      if (created) notifyTenant(success.saved, created, created.live);
    },
  });
  const { watch, change } = form;
  return (
    <FormDialog title={messages.create} width={600} form={form} onClose={onClose}>
      <LoadFailed {...state} />
      <SelectField
        {...form.choice('project', messages)}
        options={toRowOptions(options?.projects)}
        hint={
          options?.projects.length === 0 && (
            <>
              {messages.noProjects} <Link to={withParams(paths.projects, { novo: '1' })}>{messages.createProject}</Link>
            </>
          )
        }
        required
      />
      <TextField
        {...form.text('name', messages)}
        onChange={({ target }) => change((values) => changeName(values, target.value))}
        required
      />
      <SubdomainField {...form.text('subdomain', messages)} onLabel={(subdomain) => change({ subdomain })} />
      <DatabaseFields form={form} project={findProject(watch('project'))} />
      <ResponsibleFields form={form} />
    </FormDialog>
  );
}
