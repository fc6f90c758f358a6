/**
 * Tests load this file with `--require` into programs that encrypt files with a passphrase. These programs derive a key
 * of the age format in milliseconds instead of seconds. The encrypted file contains the work factor, so every program
 * can open the file.
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
