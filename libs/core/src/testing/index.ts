export { MemorySessionStore, type PassEnd } from './memory-session-store';
export { MemoryEffectGate, type GateAnswer, type GateClaim } from './memory-effect-gate';
export { CharacterCounter } from './character-counter';
export { sessionStoreConformance } from './session-store-conformance';
export { tokenCounterConformance } from './token-counter-conformance';
export { summarizerConformance } from './summarizer-conformance';
export type { ConformanceCase } from './conformance-case';
