import { boolean, check, forward, type InferOutput, object, picklist, pipe, string } from 'valibot';
import type { ProjectInput, ProjectType } from '../../generated/graph';
import { requiredText, toPort } from '../../ui/form/schema/schemas';
import { uiMessages } from '../../ui/ui.messages';
import type { ProjectRowFragment } from './generated/projects';

/** The fields of the project dialog. Product §5 lists the required fields. A port is text until it is sent. */
export const projectSchema = pipe(
  object({
    name: requiredText(),
    dbPrefix: string(),
    type: picklist<ProjectType[]>(['proxy', 'static']),
    apiPort: string(),
    staticPath: string(),
    spaFallback: boolean(),
    /** True for a project that serves versions, which need no folder. */
    servesVersions: boolean(),
  }),
  forward(
    check(({ type, apiPort }) => type !== 'proxy' || apiPort.trim() !== '', uiMessages.required),
    ['apiPort'],
  ),
  forward(
    check(
      ({ type, staticPath, servesVersions }) => type !== 'static' || servesVersions || staticPath.trim() !== '',
      uiMessages.required,
    ),
    ['staticPath'],
  ),
);

export type ProjectValues = InferOutput<typeof projectSchema>;

/** The form values of a project, or of a new project (proxy by default, product §9). */
export const toProjectValues = (project?: ProjectRowFragment): ProjectValues => ({
  name: project?.name ?? '',
  dbPrefix: project?.dbPrefix ?? '',
  type: project?.type ?? 'proxy',
  apiPort: project?.apiPort?.toString() ?? '',
  staticPath: project?.staticPath ?? '',
  spaFallback: project?.spaFallback ?? true,
  servesVersions: project?.source === 'versions',
});

/** The mutation's input. Trailing underscores of the prefix are stripped, and only fields of the type have a value. */
export function toProjectInput(values: ProjectValues): ProjectInput {
  const { name, dbPrefix, type, apiPort, staticPath, spaFallback } = values;
  return {
    name: name.trim(),
    dbPrefix: dbPrefix.trim().replace(/_+$/, ''),
    type,
    apiPort: toPort(apiPort),
    staticPath: type === 'static' ? staticPath.trim() || null : null,
    spaFallback: type === 'static' ? spaFallback : undefined,
  };
}
