import type { EvalSuite } from './eval-suite';
import { fieldcasesSuite } from './fieldcases/fieldcases-suite';
import { lateRefsSuite } from './late-refs/late-refs-suite';

/** Every suite that takes a folder. */
export const EVAL_SUITES: readonly EvalSuite[] = [lateRefsSuite, fieldcasesSuite];
