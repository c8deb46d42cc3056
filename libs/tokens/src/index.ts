export { countingOfModel, type Encoding, type ModelCounting } from './model-encoding';
export {
  createTokenCounterPool,
  type TokenCounterPool,
  type TokenCounterPoolOptions,
  type TokenCounterPoolStatistics,
} from './token-counter-pool';
export { TokenCounterError } from './token-counter-error';
