import { gatewayUrl } from '../../lib/host';
import { CopyableText } from '../../ui/list/CopyableText';
import { routesMessages } from './gateway-routes.messages';
import styles from './gateway-routes.module.css';

const { address: messages } = routesMessages;

/** Where the routes are called, and the documents of the product's own interfaces. */
export function GatewayAddress() {
  return (
    <p className={styles.address}>
      <span>
        {messages.label} <CopyableText text={gatewayUrl()} label={messages.copy} />
      </span>
      <a href="/api/docs" target="_blank" rel="noreferrer">
        {messages.rest}
      </a>
      <a href="/playground" target="_blank" rel="noreferrer">
        {messages.graph}
      </a>
    </p>
  );
}
