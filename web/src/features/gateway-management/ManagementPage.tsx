import { type KeyboardEvent, useId } from 'react';
import { brand } from '../../ui/brand';
import { Page } from '../../ui/Page';
import { useAddress } from '../../ui/useAddress';
import { managementMessages as messages } from './gateway-management.messages';
import styles from './management.module.css';
import { RoutesTab } from './RoutesTab';
import { ServicesTab } from './ServicesTab';

export const meta = () => [{ title: `${messages.title} · ${brand()}` }];

const tabs = [
  { id: 'servicos', label: messages.tabs.services },
  { id: 'rotas', label: messages.tabs.routes },
] as const;

/** `/gateway/management`: services and routes, the tab in the address (`?tab=rotas`). */
export default function ManagementPage() {
  const { params, change } = useAddress();
  const ids = useId();
  const current = params.get('tab') === 'rotas' ? 'rotas' : 'servicos';
  const show = (tab: string) =>
    change(
      (after) => {
        for (const name of [...after.keys()]) after.delete(name);
        after.set('tab', tab);
      },
      { replace: false },
    );
  const onArrow = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
    const next = current === 'rotas' ? 'servicos' : 'rotas';
    show(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };

  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      <div className={styles.tabs} role="tablist" aria-label={messages.tabs.label} onKeyDown={onArrow} tabIndex={-1}>
        {tabs.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${ids}${id}`}
            data-tab={id}
            aria-selected={id === current}
            aria-controls={`${ids}panel`}
            tabIndex={id === current ? 0 : -1}
            onClick={() => show(id)}
          >
            {label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${ids}panel`} aria-labelledby={`${ids}${current}`}>
        {current === 'rotas' ? <RoutesTab /> : <ServicesTab />}
      </div>
    </Page>
  );
}
