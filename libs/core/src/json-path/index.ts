export { formatJsonPath, matchesPath, parseJsonPath, selectJsonPath, type JsonPathStep } from './json-path';
