/** How sure a name makes us: what a password is called holds one, whatever its shape; a token must look like one. */
export type NameStrength = 'password' | 'key' | 'code';

/** Words of a name, joined without their separators, that make it a secret's. */
const PASSWORD_WORDS =
  /^(?:pass|passwords?|passwd|passcode|passphrase|passwort|pwd|pw|credentials?|cred|motdepasse|contrasena)$/u;
const KEY_ENDS =
  /(?:secrets?|token|apikeys?|privatekey|secretkey|accesskey|accountkey|sharedkey|sharedaccesskey|signingkey|encryptionkey|masterkey|servicekey|servicerolekey|adminkey|authkey|deploykey|clientkey|storagekey|licensekey|sessionkey|hmackey|jwtkey|sshkey|authorization|bearer|amzsignature|googsignature|sig)$/u;
const CODE_WORDS = /^(?:pin|cvv|cvc|cvv2|otp|totp|mfacode|otpcode|pincode|securitycode|verificationcode)$/u;

/** Names that end like a secret's and are positions, counts or names of things: what later calls need. */
const NO_SECRET =
  /(?:page|next|nextpage|continuation|sync|cursor|resume|start|scroll|pagination|cancellation|watch|change|max|min|num|total|input|output|prompt|completion|reasoning|cached|usage|count|special|pad|eos|bos|unk|mask|stop|word|sub|first|last|per|design|color|theme|css|symbol|lex|lexical|syntax|git|image|function|method|type|event|track|entity|xml|json|data)(?:token|sig)$|^secrets$/u;

/** A name by its strength; undefined for names of anything else. Case and separators do not matter. */
export function strengthOfName(name: string): NameStrength | undefined {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/u)
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  const joined = words.join('');
  if (PASSWORD_WORDS.test(last) || /(?:password|passwd|passphrase)\d?$/u.test(joined)) return 'password';
  if (CODE_WORDS.test(joined) || CODE_WORDS.test(last)) return 'code';
  if (KEY_ENDS.test(joined) && !NO_SECRET.test(joined)) return 'key';
  return undefined;
}

/** True for names whose values never enter a ledger line, declared or not. */
export function isSecretName(name: string): boolean {
  return strengthOfName(name) !== undefined;
}
