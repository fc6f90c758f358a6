import { toggleItem } from '../../ui/form/checkFields';
import { RowCheckbox } from '../../ui/list/RowCheckbox';
import { routesMessages } from './gateway-routes.messages';
import styles from './gateway-routes.module.css';
import type { RouteRowFragment, ServiceManifestQuery } from './generated/gateway-routes';
import { MethodChip } from './MethodChip';

const { importing: messages } = routesMessages;

interface ObsoleteRoutesProps {
  routes: readonly RouteRowFragment[];
  /** Ids of those that are removed. */
  removed: readonly string[];
  onChange: (removed: string[]) => void;
}

/** Routes that the manifest no longer has; they are removed only where selected. */
export function ObsoleteRoutes({ routes, removed, onChange }: ObsoleteRoutesProps) {
  if (routes.length === 0) return null;
  return (
    <fieldset className={styles.gone}>
      <legend>{messages.gone}</legend>
      <ul className={styles.rows}>
        {routes.map(({ _id, methods, origin }) => (
          <li key={_id}>
            <RowCheckbox
              label={
                <span className={styles.route}>
                  {methods.map((method) => (
                    <MethodChip key={method} method={method} />
                  ))}
                  <code className={styles.path}>{origin}</code>
                </span>
              }
              checked={removed.includes(_id)}
              onChange={(on) => onChange(toggleItem(removed, _id, on))}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** Operations of the document that cannot become routes, with the reasons. */
export function SkippedOperations({ skipped }: { skipped: ServiceManifestQuery['manifest']['skipped'] }) {
  if (skipped.length === 0) return null;
  return (
    <details className={styles.skipped}>
      <summary data-chevron>{messages.skipped(skipped.length)}</summary>
      <ul>
        {skipped.map(({ method, path, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a document may say the same twice, and the list never changes
          <li key={index}>
            <code>{[method, path].filter(Boolean).join(' ')}</code> {reason}
          </li>
        ))}
      </ul>
    </details>
  );
}
