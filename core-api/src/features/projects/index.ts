export type { ProjectsService } from './projects.service';
