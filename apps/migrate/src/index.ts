export { migrate } from './migrate';
