/** Interface of this feature for other features. */
export type { ProjectsService } from './projects.service';
