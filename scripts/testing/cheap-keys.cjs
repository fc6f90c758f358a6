/**
 * Tests start programs that encrypt files with a passphrase with `--require` of this file: a key of the age format is
 * then derived in milliseconds instead of seconds. The encrypted file contains the work factor, so that every program
 * can open it.
 */
const WORK_FACTOR = 10;

// The program imports the same module later, so it gets the changed class.
import('age-encryption').then(({ Encrypter }) => {
  const { setPassphrase } = Encrypter.prototype;
  Encrypter.prototype.setPassphrase = function (passphrase) {
    this.setScryptWorkFactor(WORK_FACTOR);
    setPassphrase.call(this, passphrase);
  };
});
