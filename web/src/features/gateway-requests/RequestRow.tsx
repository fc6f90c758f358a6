import { Link } from 'react-router';
import { formatDuration } from '../../lib/format/duration';
import { paths, withParams } from '../../lib/routing/paths';
import { Chip } from '../../ui/cells/Chip';
import { CopyButton } from '../../ui/cells/CopyButton';
import rowStyles from '../../ui/cells/cells.module.css';
import { ClockTime } from '../../ui/cells/RelativeTime';
import { requestsMessages as messages } from './gateway-requests.messages';
import type { RequestLogQuery } from './generated/gateway-requests';
import { chooseStatusColor, explainFailure } from './requestRows';
import styles from './requests.module.css';

interface RequestRowProps {
  row: RequestLogQuery['requestLog'][number];
  isKeyShown: boolean;
  /** Whether the kind of the requested host is shown. */
  isKindShown: boolean;
}

export function RequestRow({ row, isKeyShown, isKindShown }: RequestRowProps) {
  const { at, kind, method, path, status, ms, clientIp, requestId, weight } = row;
  const reason = explainFailure(row);
  /** Null for a deleted key, undefined if the row shows no key. */
  const keyName = isKeyShown && row.keyId ? (row.keyName ?? null) : undefined;
  const kindText = isKindShown ? messages.kinds[kind] : undefined;
  return (
    <>
      <span className={styles.time}>
        <ClockTime at={at} />
      </span>
      <span className={styles.status}>
        <Chip color={chooseStatusColor(status)}>{status}</Chip>
      </span>
      <span className={styles.what}>
        <strong>{method}</strong> <code>{path}</code>
        {weight > 1 && <small title={messages.weightTitle(weight)}> {messages.weight(weight)}</small>}
        {(reason || keyName !== undefined || kindText) && (
          <small className={styles.reason}>
            {reason && <span>{reason}</span>}
            {keyName && (
              <Link className={rowStyles.link} to={withParams(paths.gatewayKeys, { q: keyName })}>
                {keyName}
              </Link>
            )}
            {keyName === null && <span>{messages.deletedKey}</span>}
            {kindText && <span>{kindText}</span>}
          </small>
        )}
      </span>
      <span className={styles.duration}>{formatDuration(ms)}</span>
      <small className={styles.client} title={clientIp}>
        {clientIp}
      </small>
      <span className={styles.copy}>
        <CopyButton text={requestId} label={messages.copyId(requestId)} />
      </span>
    </>
  );
}
