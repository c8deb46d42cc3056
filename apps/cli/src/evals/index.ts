import type { EvalSuite } from './eval-suite';
import { driftSuite } from './drift/drift-suite';
import { effectsSuite } from './effects/effects-suite';
import { fieldcasesSuite } from './fieldcases/fieldcases-suite';
import { lateRefsSuite } from './late-refs/late-refs-suite';
import { passesSuite } from './passes/passes-suite';
import { toolsSuite } from './tools/tools-suite';
import { transcriptsSuite } from './transcripts/transcripts-suite';

/** Every suite that takes a folder. */
export const EVAL_SUITES: readonly EvalSuite[] = [
  transcriptsSuite,
  lateRefsSuite,
  fieldcasesSuite,
  passesSuite,
  toolsSuite,
  driftSuite,
  effectsSuite,
];
