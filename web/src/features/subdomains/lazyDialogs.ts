import { lazyDialog } from '../../ui/dialog/lazyDialog';

export const EditSubdomainDialog = lazyDialog(() => import('./EditSubdomainDialog'));

/** The second step of the wizard. If its code cannot be loaded, the first step stays. */
export const ConfigureStep = lazyDialog(() => import('./wizard/ConfigureStep'));
