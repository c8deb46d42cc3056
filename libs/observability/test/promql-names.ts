/** A series that an expression selects, with what it demands of its labels. */
export interface Selector {
  readonly name: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

const KEYWORDS = new Set(['and', 'or', 'unless', 'bool', 'offset']);

/** Every series that a PromQL expression names. Reads names, not grammar: that is for promtool. */
export function selectorsOf(expression: string): readonly Selector[] {
  // Groupings name labels, ranges and offsets name durations.
  const bare = expression
    .replace(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ');
  return [...bare.matchAll(/([a-zA-Z_:][\w:]*)(\{[^}]*\})?(\s*\()?/g)].flatMap(([, name = '', braces, call]) => {
    if (KEYWORDS.has(name) || call !== undefined) return [];
    const matchers = [...(braces ?? '').matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].map(
      ([, label = '', operator = '', value = '']) => ({ label, operator, value }),
    );
    return [{ name, matchers }];
  });
}
