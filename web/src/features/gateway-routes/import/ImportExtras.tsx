import { chakra } from '@chakra-ui/react';
import { RowCheckbox } from '../../../ui/cells/RowCheckbox';
import { toggleItem } from '../../../ui/form/fields/checkFields';
import { Disclosure } from '../../../ui/layout/Disclosure';
import { routesMessages } from '../gateway-routes.messages';
import type { RouteRowFragment, ServiceManifestQuery } from '../generated/gateway-routes';
import { MethodChip } from '../MethodChip';
import styles from './ImportRows.module.css';

const { importing: messages } = routesMessages;

interface ObsoleteRoutesProps {
  routes: readonly RouteRowFragment[];
  /** Ids of the routes to remove. */
  removed: readonly string[];
  onChange: (removed: string[]) => void;
}

/** Routes of the service that the manifest lacks. Only selected routes are removed. */
export function ObsoleteRoutes({ routes, removed, onChange }: ObsoleteRoutesProps) {
  if (routes.length === 0) return null;
  return (
    <fieldset>
      <chakra.legend py="2" fontWeight="medium">
        {messages.notInManifest}
      </chakra.legend>
      <chakra.ul layerStyle="panel" className={styles.rows}>
        {routes.map(({ _id, methods, origin }) => (
          <li key={_id}>
            <RowCheckbox
              label={
                <span className={styles.route}>
                  {methods.map((method) => (
                    <MethodChip key={method} method={method} />
                  ))}
                  <code>{origin}</code>
                </span>
              }
              checked={removed.includes(_id)}
              onChange={(isChosen) => onChange(toggleItem(removed, _id, isChosen))}
            />
          </li>
        ))}
      </chakra.ul>
    </fieldset>
  );
}

/** Operations of the document that cannot become routes, with the reasons. */
export function SkippedOperations({ skipped }: { skipped: ServiceManifestQuery['manifest']['skipped'] }) {
  if (skipped.length === 0) return null;
  return (
    <Disclosure label={messages.skipped(skipped.length)}>
      <chakra.ul maxH="240px" overflowY="auto" textStyle="xs" color="fg.muted" overflowWrap="anywhere">
        {skipped.map(({ method, path, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: operations may repeat, and the list never changes
          <li key={index}>
            <code>{[method, path].filter(Boolean).join(' ')}</code> {reason}
          </li>
        ))}
      </chakra.ul>
    </Disclosure>
  );
}
