import { readFresh } from '../../lib/graphql/client';
import { markRecentlyCreated } from '../../lib/notifications/recentlyCreated';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { CheckField } from '../../ui/form/checkFields';
import { FolderField } from '../../ui/form/FolderField';
import { RadioField } from '../../ui/form/RadioField';
import { PORT_INPUT, TextField } from '../../ui/form/textFields';
import { useDraftForm } from '../../ui/form/useDraftForm';
import {
  ProjectDocument,
  type ProjectRowFragment,
  ProjectsDocument,
  useCreateProjectMutation,
  useUpdateProjectMutation,
} from './generated/projects';
import { projectInput, projectSchema, projectValues } from './projectForm';
import { projectsMessages } from './projects.messages';

const { dialog: messages, failure, success } = projectsMessages;

/** Creates a project, or edits the given one. */
export function ProjectDialog({ project, onClose }: { project?: ProjectRowFragment; onClose: () => void }) {
  const [create] = useCreateProjectMutation({ refetchQueries: [ProjectsDocument] });
  const [update] = useUpdateProjectMutation({ refetchQueries: [ProjectsDocument] });
  const form = useDraftForm({
    draft: `projects:${project?._id ?? 'novo'}`,
    initial: projectValues(project),
    schema: projectSchema,
    edited: project && {
      row: project,
      read: async () => (await readFresh(ProjectDocument, { id: project._id }))?.project,
      toValues: projectValues,
      names: { ...messages, apiPort: messages.servicePort },
      format: (field, value) => messages.types.find((type) => field === 'type' && type.value === value)?.label,
    },
    fallback: failure.save,
    send: async (values, version) => {
      const input = projectInput(values);
      if (project) await update({ variables: { id: project._id, input, version } });
      else markRecentlyCreated((await create({ variables: { input } })).data?.createProject._id);
    },
    onSaved: onClose,
    success: success.saved,
  });
  const { values } = form;

  return (
    <FormDialog title={project ? messages.edit : messages.create} width={600} form={form} onClose={onClose}>
      <TextField label={messages.name} {...form.text('name')} maxLength={100} required />
      <TextField
        label={messages.dbPrefix}
        {...form.text('dbPrefix')}
        hint={messages.dbPrefixHint(values.dbPrefix.trim().replace(/_+$/, '') || messages.dbPrefixExample)}
        autoCapitalize="none"
        spellCheck={false}
      />
      <RadioField label={messages.type} options={messages.types} {...form.radio('type')} />
      {values.type === 'proxy' ? (
        <TextField label={messages.servicePort} {...form.text('apiPort')} {...PORT_INPUT} required />
      ) : (
        <>
          <FolderField
            {...form.choice('staticPath')}
            label={messages.staticPath}
            placeholder={messages.staticPathPlaceholder}
            required={!values.servesVersions}
          />
          <TextField label={messages.apiPort} {...form.text('apiPort')} {...PORT_INPUT} />
          <CheckField label={messages.spaFallback} {...form.check('spaFallback')} />
        </>
      )}
    </FormDialog>
  );
}
