import { type ContractPack, sameFor } from './contract-pack';
import { COMMAND_EDITOR } from './editor-contract';

export const OPENHANDS: ContractPack = {
  name: 'openhands',
  version: 1,
  title: 'OpenHands, CodeAct agent and agent SDK',
  source:
    'The tool definitions in the source of OpenHands (agenthub/codeact_agent/tools, runtime/browser) and of its agent ' +
    'SDK. Code cells, browser steps and delegates may do anything.',
  contracts: {
    ...sameFor('execute_bash terminal run', { effect: 'exec', target: ['$.command'] }),
    ...sameFor('execute_ipython_cell run_ipython', { effect: 'exec', target: ['$.code'] }),
    ...sameFor('str_replace_editor file_editor', COMMAND_EDITOR),
    ...sameFor('edit_file edit write', { effect: 'converging', target: ['$.path'] }),
    ...sameFor('read grep glob', { effect: 'read' }),
    apply_patch: { effect: 'converging' },
    think: { effect: 'pure' },
    ...sameFor('web_read fetch browse', { effect: 'read', volatile: true }),
    ...sameFor('browser browse_interactive', { effect: 'write', target: ['$.code'] }),
    task_tracker: {
      effect: 'converging',
      read_when: [{ json_path: '$.command', equals: 'view' }],
      stateful: true,
    },
    ...sameFor('finish request_condensation', { effect: 'converging' }),
    ...sameFor('delegate delegate_to_browsing_agent', { effect: 'write' }),
    ...sameFor('browser_get_state browser_get_content browser_list_tabs', { effect: 'read', volatile: true }),
    ...sameFor('browser_navigate browser_go_back browser_scroll browser_switch_tab browser_close_tab', {
      effect: 'converging',
    }),
    ...sameFor('browser_click browser_type', { effect: 'write', target: ['$.index'] }),
  },
};
