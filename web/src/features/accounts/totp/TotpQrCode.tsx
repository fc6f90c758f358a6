import { QrCode } from '@ark-ui/react/qr-code';
import { chakra } from '@chakra-ui/react';

/**
 * The QR code of an `otpauth:` URL, drawn in the browser. It is black on white in both themes, as cameras expect.
 */
export function TotpQrCode({ uri, label }: { uri: string; label: string }) {
  return (
    <chakra.div
      justifySelf="center"
      p="2"
      borderRadius="sm"
      bg="#fff"
      css={{ '& svg': { boxSize: '200px', fill: '#000' } }}
    >
      <QrCode.Root value={uri} encoding={{ ecc: 'M', border: 2 }}>
        <QrCode.Frame role="img" aria-label={label}>
          <QrCode.Pattern />
        </QrCode.Frame>
      </QrCode.Root>
    </chakra.div>
  );
}
