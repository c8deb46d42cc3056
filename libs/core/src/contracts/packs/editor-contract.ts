import type { ToolContract } from '../../classify/tool-contract';

/** The editor that several harnesses share: one tool whose `command` says whether it views, writes or takes back. */
export const COMMAND_EDITOR: ToolContract = {
  effect: 'converging',
  read_when: [{ json_path: '$.command', equals: 'view' }],
  target: ['$.path'],
  outcome: { failed_when: [{ prefix: 'ERROR' }, { prefix: 'No replacement was performed' }], atomic: true },
};
