import { type ContractPack, sameFor } from './contract-pack';
import { COMMAND_EDITOR } from './editor-contract';

export const SWE_AGENT: ContractPack = {
  name: 'swe-agent',
  version: 1,
  title: 'SWE-agent and mini-SWE-agent',
  source:
    'The tool bundles in the source of SWE-agent (tools/*/config.yaml). The windowed viewer keeps its place between ' +
    'calls: open, goto and the scrolls move it and show what is there. `shell` is the command line of its text form.',
  contracts: {
    ...sameFor('bash shell', { effect: 'exec', target: ['$.command'] }),
    ...sameFor('find_file search_dir search_file filemap view_image', { effect: 'read' }),
    ...sameFor('open goto scroll_up scroll_down', { effect: 'read', volatile: true }),
    str_replace_editor: COMMAND_EDITOR,
    create: { effect: 'converging', target: ['$.filename'] },
    ...sameFor('edit insert', { effect: 'write' }),
    ...sameFor('submit exit_forfeit exit_cost', { effect: 'write' }),
  },
};
