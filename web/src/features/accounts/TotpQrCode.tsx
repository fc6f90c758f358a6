import { QrCode } from '@ark-ui/react/qr-code';
import styles from './accounts.module.css';

/** The QR code of an `otpauth:` address, drawn in the browser. Black on white in both themes: cameras expect it so. */
export function TotpQrCode({ uri, label }: { uri: string; label: string }) {
  return (
    <QrCode.Root value={uri} encoding={{ ecc: 'M', border: 2 }} className={styles.qrCode}>
      <QrCode.Frame role="img" aria-label={label}>
        <QrCode.Pattern />
      </QrCode.Frame>
    </QrCode.Root>
  );
}
