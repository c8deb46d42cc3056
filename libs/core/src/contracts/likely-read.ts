import type { ToolCall } from '../window/element';
import { changeInArguments, changeInDescription, changeInParameters, describesReading } from './change-signs';
import { nameWords } from './name-words';
import { judgeName } from './read-name';
import type { ToolDefinition } from './tool-definition';

/** What is known of an agent's tools besides contracts. */
export interface ToolEvidence {
  readonly definitions: readonly ToolDefinition[];
  /** Tools of which a result reported a change. */
  readonly changing: ReadonlySet<string>;
}

/** What names, schemas and calls say of a tool that no contract declares. A judgement, never a permission. */
export type ReadJudgement =
  | { readonly kind: 'likely_read'; readonly effect: 'read' | 'pure'; readonly evidence: string }
  | { readonly kind: 'not_proven'; readonly reason: string };

/** Judges calls of undeclared tools; what holds for a tool is looked at once. */
export class ReadJudge {
  private readonly byName = new Map<string, ToolDefinition[]>();
  private readonly judged = new Map<string, ReadJudgement>();
  private readonly spaces: ReadonlySet<string>;

  constructor(private readonly evidence: ToolEvidence) {
    for (const definition of evidence.definitions) {
      const same = this.byName.get(definition.name);
      if (same === undefined) this.byName.set(definition.name, [definition]);
      else same.push(definition);
    }
    this.spaces = sharedFirstWords([...this.byName.keys()]);
  }

  /** Whether a call of the tool most likely only reads, by its name, its definition, its arguments and what it answered. */
  judge(call: Pick<ToolCall, 'tool' | 'args'>): ReadJudgement {
    const tool = this.judgeTool(call.tool);
    if (tool.kind === 'not_proven') return tool;
    const change = changeInArguments(call.args);
    return change === undefined ? tool : { kind: 'not_proven', reason: change };
  }

  /** {@link judge} without a call. */
  judgeTool(tool: string): ReadJudgement {
    let known = this.judged.get(tool);
    if (known === undefined) this.judged.set(tool, (known = this.look(tool)));
    return known;
  }

  private look(tool: string): ReadJudgement {
    const no = (reason: string): ReadJudgement => ({ kind: 'not_proven', reason });
    const name = judgeName(tool, this.spaces);
    if (name.kind === 'no') return no(name.reason);
    if (this.evidence.changing.has(tool)) return no('a result of it reported a change');
    const definitions = this.byName.get(tool) ?? [];
    const said: string[] = [`its name begins with the reading verb "${name.verb}"`];
    for (const definition of definitions) {
      const { hints, description } = definition;
      if (hints.readOnly === false || hints.destructive === true) return no('its server says that it is not read-only');
      const act = changeInDescription(description);
      if (act !== undefined) return no(`its description says "${act}"`);
      const parameter = changeInParameters(definition);
      if (parameter !== undefined) return no(`its parameter "${parameter}" may carry a change`);
    }
    if (name.kind === 'may_read') {
      if (definitions.length === 0 || !definitions.every(({ description }) => describesReading(description)))
        return no(name.reason);
      said.push('its description says that it reads');
    }
    if (definitions.length > 0) said.push('its parameters only select');
    return { kind: 'likely_read', effect: name.kind === 'reads' ? name.effect : 'read', evidence: said.join(', ') };
  }
}

/** First words that at least two tools share: a server's or a service's prefix. */
function sharedFirstWords(names: readonly string[]): ReadonlySet<string> {
  const counts = new Map<string, Set<string>>();
  for (const name of names) {
    const words = nameWords(name)?.words ?? [];
    const [first, second] = words;
    if (first === undefined || second === undefined) continue;
    const seconds = counts.get(first) ?? new Set();
    counts.set(first, seconds.add(second));
  }
  return new Set([...counts].flatMap(([first, seconds]) => (seconds.size > 1 ? [first] : [])));
}
