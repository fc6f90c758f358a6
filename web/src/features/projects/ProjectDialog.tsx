import { announceArrival } from '../../ui/arrivals';
import { FormDialog } from '../../ui/FormDialog';
import { RadioField, TextField } from '../../ui/fields';
import { notify } from '../../ui/notification';
import { useDraft } from '../../ui/useDraft';
import { useSubmit } from '../../ui/useSubmit';
import {
  type ProjectRowFragment,
  ProjectsDocument,
  useCreateProjectMutation,
  useUpdateProjectMutation,
} from './generated/projects';
import { checkProject, projectInput, projectValues } from './projectForm';
import { projectsMessages } from './projects.messages';

const { dialog: messages, failure, success } = projectsMessages;
const PORT = { type: 'number', min: 1, max: 65535, inputMode: 'numeric' } as const;

/** Creates a project, or edits the given one. */
export function ProjectDialog({ project, onClose }: { project?: ProjectRowFragment; onClose: () => void }) {
  const { values, change, settle } = useDraft(`projects:${project?._id ?? 'novo'}`, projectValues(project));
  const [create] = useCreateProjectMutation({ refetchQueries: [ProjectsDocument] });
  const [update] = useUpdateProjectMutation();

  const form = useSubmit({
    fallback: failure.save,
    check: () => checkProject(values),
    send: async () => {
      const input = projectInput(values);
      if (project) await update({ variables: { id: project._id, input } });
      else announceArrival((await create({ variables: { input } })).data?.createProject._id);
      settle();
      onClose();
      notify(success.saved);
    },
  });
  const port = {
    ...PORT,
    value: values.apiPort,
    error: form.errors.apiPort,
    onChange: (apiPort: string) => change({ apiPort }),
  };

  return (
    <FormDialog
      title={project ? messages.edit : messages.create}
      width={600}
      submitLabel={messages.save}
      onSubmit={form.submit}
      onClose={onClose}
      {...form}
    >
      <TextField
        label={messages.name}
        value={values.name}
        onChange={(name) => change({ name })}
        error={form.errors.name}
        maxLength={100}
        required
      />
      <TextField
        label={messages.dbPrefix}
        value={values.dbPrefix}
        onChange={(dbPrefix) => change({ dbPrefix })}
        error={form.errors.dbPrefix}
        hint={messages.dbPrefixHint(values.dbPrefix.replace(/_+$/, '') || messages.dbPrefixExample)}
        autoCapitalize="none"
        spellCheck={false}
      />
      <RadioField
        label={messages.type}
        value={values.type}
        options={messages.types}
        onChange={(type) => change({ type })}
      />
      {values.type === 'proxy' ? (
        <TextField label={messages.servicePort} {...port} required />
      ) : (
        <>
          <TextField
            label={messages.staticPath}
            value={values.staticPath}
            onChange={(staticPath) => change({ staticPath })}
            error={form.errors.staticPath}
            placeholder={messages.staticPathPlaceholder}
            required
          />
          <TextField label={messages.apiPort} {...port} />
        </>
      )}
    </FormDialog>
  );
}
