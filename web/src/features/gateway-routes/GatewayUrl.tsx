import { Flex, Link } from '@chakra-ui/react';
import { getGatewayUrl } from '../../lib/hosts/host';
import { CopyableText } from '../../ui/cells/CopyableText';
import { routesMessages } from './gateway-routes.messages';

const { address: messages } = routesMessages;

/** The URL of the gateway, and links to the documentation of REST and to the GraphQL playground. */
export function GatewayUrl() {
  return (
    <Flex as="p" wrap="wrap" align="center" rowGap="1" columnGap="6" mb="3" color="fg.muted">
      <span>
        {messages.label} <CopyableText text={getGatewayUrl()} label={messages.copy} />
      </span>
      <Link href="/api/docs" target="_blank" rel="noreferrer">
        {messages.rest}
      </Link>
      <Link href="/playground" target="_blank" rel="noreferrer">
        {messages.graph}
      </Link>
    </Flex>
  );
}
