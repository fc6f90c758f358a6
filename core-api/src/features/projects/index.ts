export type { Project } from './project.entity';
export type { ProjectsService } from './projects.service';
