export { findSecrets } from './find-secrets';
export { KnownSecrets } from './known-secrets';
export { createMask, holdsMask, showsMasked, type Mask } from './secret-mask';
export { isSecretName } from './secret-names';
export type { SecretSpan } from './secret-span';
export { secretsOfWindow } from './window-secrets';
