import type { Element } from '../window/element';
import { findHarnessWrapper, isForeignSummary, isProjectMemory } from './harness-wrappers';
import { findPastedOutput } from './pasted-output';
import { quoteStart } from './quote';

/** Who wrote a text in the user's role. The role alone does not say: harnesses write there too. */
export type Origin =
  | { readonly kind: 'human'; readonly evidence: string }
  | { readonly kind: 'machine'; readonly evidence: string }
  /** Standing rules that a harness loaded. */
  | { readonly kind: 'project_memory'; readonly evidence: string }
  /** A summary by somebody else's compaction: cannot be verified. */
  | { readonly kind: 'foreign_summary'; readonly evidence: string };

/** Tells a person's words from a harness's, a command's output and pastes. When in doubt: a person's. */
export function originOf(element: Pick<Element, 'text' | 'synthetic' | 'settled' | 'role'>): Origin {
  const { text } = element;
  if (element.settled !== undefined)
    return { kind: 'machine', evidence: `an earlier pass put a mark in place of it (${element.settled.operation})` };
  if (element.synthetic === true) return { kind: 'machine', evidence: 'declared synthetic by the caller' };
  if (element.role === 'tool') return { kind: 'machine', evidence: 'text in the role of a tool' };
  if (isForeignSummary(text)) return { kind: 'foreign_summary', evidence: `begins ${quoteStart(text, 60)}` };
  const wrapper = findHarnessWrapper(text);
  if (wrapper !== undefined)
    return isProjectMemory(text)
      ? { kind: 'project_memory', evidence: `standing rules in ${wrapper}` }
      : { kind: 'machine', evidence: `harness wrapper: ${wrapper}` };
  const paste = findPastedOutput(text);
  if (paste !== undefined) return { kind: 'machine', evidence: `pasted output: ${paste}` };
  return { kind: 'human', evidence: `text in the user's role: ${quoteStart(text)}` };
}
