import { useSudoRequest } from '../../lib/session/sudo';
import { lazyDialog } from '../../ui/dialog/lazyDialog';

const SudoDialog = lazyDialog(() => import('../../features/accounts/SudoDialog'));

/** Shows the dialog that asks for the password again, for any call (`askForPassword`). */
export function SudoOutlet() {
  const request = useSudoRequest();
  return request && <SudoDialog onConfirmed={() => request.answer(true)} onClose={() => request.answer(false)} />;
}
