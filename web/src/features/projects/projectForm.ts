import type { ProjectInput, ProjectType } from '../../generated/graph';
import type { FieldErrors } from '../../ui/form/useSubmit';
import { uiMessages } from '../../ui/ui.messages';
import type { ProjectRowFragment } from './generated/projects';

/** What is typed in the project dialog; a port is text until it is sent. */
export interface ProjectValues {
  name: string;
  dbPrefix: string;
  type: ProjectType;
  apiPort: string;
  staticPath: string;
}

/** The form of a project, or of a new one (proxy by default, product §9). */
export const projectValues = (project?: ProjectRowFragment): ProjectValues => ({
  name: project?.name ?? '',
  dbPrefix: project?.dbPrefix ?? '',
  type: project?.type ?? 'proxy',
  apiPort: project?.apiPort?.toString() ?? '',
  staticPath: project?.staticPath ?? '',
});

/** What must be filled (product §5). */
export function checkProject({ name, type, apiPort, staticPath }: ProjectValues): FieldErrors {
  const found: FieldErrors = {};
  if (!name.trim()) found.name = uiMessages.required;
  if (type === 'proxy' && !apiPort.trim()) found.apiPort = uiMessages.required;
  if (type === 'static' && !staticPath.trim()) found.staticPath = uiMessages.required;
  return found;
}

/** What a save sends: trailing underscores of the prefix are stripped, and only the fields of the type have a value. */
export function projectInput({ name, dbPrefix, type, apiPort, staticPath }: ProjectValues): ProjectInput {
  return {
    name: name.trim(),
    dbPrefix: dbPrefix.trim().replace(/_+$/, ''),
    type,
    apiPort: apiPort.trim() === '' ? null : Number(apiPort),
    staticPath: type === 'static' ? staticPath.trim() : null,
  };
}
