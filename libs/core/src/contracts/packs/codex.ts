import { type ContractPack, sameFor } from './contract-pack';

export const CODEX: ContractPack = {
  name: 'codex',
  version: 1,
  title: 'OpenAI Codex CLI, built-in tools',
  source:
    'The tool specifications in the source of Codex (codex-rs, core/src/tools). What is written to a running program ' +
    'may do anything; a patch is verified before any of it is applied, but a later file of it may still fail.',
  contracts: {
    ...sameFor('shell shell_command exec_command local_shell container.exec', {
      effect: 'exec',
      target: ['$.command'],
    }),
    exec_command: { effect: 'exec', target: ['$.cmd'] },
    write_stdin: { effect: 'exec', target: ['$.session_id'] },
    apply_patch: { effect: 'converging' },
    update_plan: { effect: 'converging', stateful: true },
    ...sameFor('read_file list_dir grep_files view_image', { effect: 'read' }),
    ...sameFor('list_mcp_resources list_mcp_resource_templates read_mcp_resource', { effect: 'read', volatile: true }),
    web_search: { effect: 'read', volatile: true },
    request_user_input: { effect: 'write' },
    spawn_agent: { effect: 'write' },
    ...sameFor('send_input close_agent resume_agent', { effect: 'write', target: ['$.id'] }),
    ...sameFor('wait wait_agent', { effect: 'read', refetch: false, volatile: true }),
  },
};
