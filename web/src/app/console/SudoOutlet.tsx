import { useSudoRequest } from '../../lib/sudo';
import { lazyDialog } from '../../ui/dialog/lazyDialog';

const SudoDialog = lazyDialog(() => import('../../features/accounts/SudoDialog'));

/** Where the password is asked for again, whichever call needs it (`askForPassword`). */
export function SudoOutlet() {
  const request = useSudoRequest();
  return request && <SudoDialog onConfirmed={() => request.answer(true)} onClose={() => request.answer(false)} />;
}
