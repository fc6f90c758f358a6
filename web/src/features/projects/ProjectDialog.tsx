import { readFresh } from '../../lib/graphql/client/client';
import { markRecentlyCreated } from '../../lib/notifications/recentlyCreated';
import { FolderField } from '../../shared/fields/FolderField';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { CheckField } from '../../ui/form/fields/checkFields';
import { RadioField } from '../../ui/form/fields/RadioField';
import { PORT_INPUT, TextField } from '../../ui/form/fields/textFields';
import { useAppForm } from '../../ui/form/state/useAppForm';
import {
  ProjectDocument,
  type ProjectRowFragment,
  ProjectsDocument,
  useCreateProjectMutation,
  useUpdateProjectMutation,
} from './generated/projects';
import { projectSchema, toProjectInput, toProjectValues } from './projectForm';
import { projectsMessages } from './projects.messages';

const { dialog: messages, failure, success } = projectsMessages;

export function ProjectDialog({ project, onClose }: { project?: ProjectRowFragment; onClose: () => void }) {
  const [create] = useCreateProjectMutation({ refetchQueries: [ProjectsDocument] });
  const [update] = useUpdateProjectMutation({ refetchQueries: [ProjectsDocument] });
  const form = useAppForm({
    draft: `projects:${project?._id ?? 'novo'}`,
    initial: toProjectValues(project),
    schema: projectSchema,
    failureMessage: failure.save,
    send: async (values, version) => {
      const input = toProjectInput(values);
      if (project) await update({ variables: { id: project._id, input, version } });
      else markRecentlyCreated((await create({ variables: { input } })).data?.createProject._id);
    },
    editedEntity: project && {
      row: project,
      read: async () => (await readFresh(ProjectDocument, { id: project._id }))?.project,
      toValues: toProjectValues,
      labels: { ...messages, apiPort: messages.servicePort },
      format: (field, value) => messages.types.find((type) => field === 'type' && type.value === value)?.label,
    },
    onSaved: onClose,
    success: success.saved,
  });
  const prefix = form.watch('dbPrefix').trim().replace(/_+$/, '');

  return (
    <FormDialog title={project ? messages.edit : messages.create} width={600} form={form} onClose={onClose}>
      <TextField {...form.text('name', messages)} required />
      <TextField
        {...form.text('dbPrefix', messages)}
        hint={messages.dbPrefixUse(/^\w+$/.test(prefix) ? prefix : messages.dbPrefixExample)}
        autoCapitalize="none"
        spellCheck={false}
      />
      <RadioField {...form.choice('type', messages)} options={messages.types} />
      {form.watch('type') === 'proxy' ? (
        <TextField {...form.text('apiPort', { apiPort: messages.servicePort })} {...PORT_INPUT} required />
      ) : (
        <>
          <FolderField {...form.choice('staticPath', messages)} required={!form.watch('servesVersions')} />
          <TextField {...form.text('apiPort', messages)} {...PORT_INPUT} />
          <CheckField {...form.check('spaFallback', messages)} />
        </>
      )}
    </FormDialog>
  );
}
