import { type ContractPack, sameFor } from './contract-pack';

/** An edit that failed wrote nothing. */
const EDIT = {
  effect: 'converging',
  target: ['$.file_path'],
  outcome: { failed_when: [{ is_error: true }], atomic: true },
} as const;

export const CLAUDE_CODE: ContractPack = {
  name: 'claude-code',
  version: 1,
  title: 'Claude Code, built-in tools',
  source:
    'The tool descriptions that Claude Code sends and its published tool reference. WebFetch and WebSearch show what ' +
    'the web says at the time. A sub-agent (Task, Agent) may do anything its own tools can.',
  contracts: {
    ...sameFor('Read Glob Grep LS NotebookRead ListMcpResourcesTool ReadMcpResourceTool LSP ToolSearch', {
      effect: 'read',
    }),
    ...sameFor('WebFetch WebSearch', { effect: 'read', volatile: true }),
    ...sameFor('Edit MultiEdit Write', EDIT),
    NotebookEdit: { ...EDIT, target: ['$.notebook_path'] },
    Bash: { effect: 'exec', target: ['$.command'] },
    ...sameFor('BashOutput TaskOutput', { effect: 'read', refetch: false, volatile: true }),
    ...sameFor('KillShell KillBash TaskStop', { effect: 'converging' }),
    ...sameFor('Task Agent', { effect: 'write', target: ['$.description'] }),
    TodoWrite: { effect: 'converging', stateful: true },
    TodoRead: { effect: 'read', volatile: true, stateful: true },
    ...sameFor('TaskCreate', { effect: 'write', target: ['$.subject'] }),
    TaskUpdate: { effect: 'converging', target: ['$.taskId'] },
    ...sameFor('TaskGet TaskList', { effect: 'read', volatile: true }),
    ...sameFor('ExitPlanMode EnterPlanMode AskUserQuestion', { effect: 'write' }),
    ...sameFor('SlashCommand Skill', { effect: 'unproven' }),
  },
};
