import { useSudoRequest } from '../../lib/session/sudo';
import { lazyDialog } from '../../ui/dialog/lazyDialog';

const SudoDialog = lazyDialog(() => import('../../features/accounts/SudoDialog'));

/** Shows the dialog that `askForPassword` opens. */
export function SudoOutlet() {
  const request = useSudoRequest();
  return request && <SudoDialog onConfirmed={() => request.answer(true)} onClose={() => request.answer(false)} />;
}
