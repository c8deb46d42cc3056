export { type Answer, ApiClient, type CompactionAsk, type Finished } from './api-client';
export { type Ended, entryOf, fixture, runToEnd } from './build';
export { type CollectedSpan, startTraceCollector, type TraceCollector } from './trace-collector';
export { type RunningPlatform, startRunningPlatform } from './running-platform';
