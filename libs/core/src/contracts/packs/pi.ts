import { type ContractPack, sameFor } from './contract-pack';

export const PI: ContractPack = {
  name: 'pi',
  version: 1,
  title: 'pi coding agent',
  source:
    'The tools in the source of pi (packages/coding-agent/src/core/tools). An edit replaces one exact text or fails.',
  contracts: {
    ...sameFor('read grep find ls', { effect: 'read' }),
    bash: { effect: 'exec', target: ['$.command'] },
    ...sameFor('edit write', {
      effect: 'converging',
      target: ['$.path'],
      outcome: { failed_when: [{ is_error: true }], atomic: true },
    }),
  },
};
