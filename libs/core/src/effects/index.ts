export { answerClaim, CLAIM_ANSWERS, type AnsweredClaim, type ClaimAnswer, type KnownEffect } from './answer-claim';
export { describeClaim, maskOfCall, type ClaimDescription, type ClaimedCall } from './describe-claim';
export { canonicalArguments, canonicalJson, scalarText, sourceReader, type SourceReader } from './canonical-arguments';
export { describeArguments, describeTarget, NO_TARGET } from './describe-target';
export { argumentsDigest, deriveIdempotencyKey, type CallArguments } from './idempotency-key';
export { keptValues } from './kept-values';
export { isClosedStatus, mergeEffect } from './merge-effect';
export { isSecretName } from '../secrets/secret-names';
