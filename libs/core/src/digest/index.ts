export { base32Digest } from './base32';
export { bytesToHex } from './hex';
export { hmacSha256Hex } from './hmac';
export { SHA256_DIGEST_BYTES, Sha256, sha256Bytes, sha256Hex } from './sha256';
export { decodeText, encodeText } from './text-bytes';
