import type { Variable } from './variable';
import {
  API_VARIABLES,
  MIGRATE_VARIABLES,
  PROCESS_VARIABLES,
  QUEUE_VARIABLES,
  SERVICE_VARIABLES,
  WORKER_VARIABLES,
} from './variables';

type Variables = Readonly<Record<string, Variable>>;

const WIDTH = 100;

/** What the top of the file says, and whose variables follow. */
const SECTIONS: readonly { readonly title: string; readonly variables: Variables; readonly without: Variables }[] = [
  { title: 'Every process', variables: PROCESS_VARIABLES, without: {} },
  { title: 'Queue (API, worker, migrations)', variables: QUEUE_VARIABLES, without: {} },
  { title: 'API and worker', variables: SERVICE_VARIABLES, without: { ...PROCESS_VARIABLES, ...QUEUE_VARIABLES } },
  { title: 'API', variables: API_VARIABLES, without: SERVICE_VARIABLES },
  { title: 'Worker', variables: WORKER_VARIABLES, without: SERVICE_VARIABLES },
  { title: 'Migrations', variables: MIGRATE_VARIABLES, without: { ...PROCESS_VARIABLES, ...QUEUE_VARIABLES } },
];

/** The text of docs/env.example: every variable with what it does, what may stand there and its default. */
export function renderEnvExample(): string {
  const sections = SECTIONS.map(({ title, variables, without }) => {
    const entries = Object.entries(variables).filter(([name]) => !Object.hasOwn(without, name));
    return [`## ${title}`, ...entries.map(([name, variable]) => renderVariable(name, variable))].join('\n\n');
  });
  const head =
    '# Generated from libs/config by `node tools/generate-env-example.mjs`. Copy what you need; what has a # before its\n' +
    '# name is optional and shows the default.';
  return `${[head, ...sections].join('\n\n')}\n`;
}

function renderVariable(name: string, variable: Variable): string {
  const words = `${variable.about} Set to ${variable.expects}.`;
  const value = variable.defaultText ?? '';
  return [...wrap(words), `${variable.isRequired ? '' : '#'}${name}=${value}`].join('\n');
}

function wrap(words: string): string[] {
  const lines: string[] = [];
  let line = '#';
  for (const word of words.split(' ')) {
    if (line.length + word.length + 1 > WIDTH) {
      lines.push(line);
      line = '#';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
