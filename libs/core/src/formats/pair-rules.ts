import { items, member, quoteJson, sourceOf, stringValue, type JsonNode } from '../json';
import { eitherMember } from './either-member';
import { langChainMessage, isCallBlock, callBlockId } from './langchain-message';
import { type PairRule, type PlacedId } from './settle-pairs';
import { MISSING_RESULT_TEXT } from '../window/missing-result';

const NO_RESULT = quoteJson(MISSING_RESULT_TEXT);

/** An id in a member of a node; none where the node is no object. */
function placed(node: JsonNode | undefined, key: string, name = ''): PlacedId[] {
  return node?.kind === 'object' ? [{ id: stringValue(member(node, key)) ?? '', name, holder: node, key }] : [];
}

function roleOf(message: JsonNode): string {
  return stringValue(member(message, 'role')) ?? '';
}

/** A call of the retired `function_call` has the function's name for its id. */
export const OPENAI_CHAT_PAIRS: PairRule = {
  callsOf: (message) => {
    if (roleOf(message) !== 'assistant') return [];
    const legacy = member(message, 'function_call');
    const name = stringValue(member(legacy, 'name')) ?? '';
    const calls = items(member(message, 'tool_calls')).flatMap((call) => placed(call, 'id'));
    return name === '' ? calls : [...calls, ...placed(legacy, 'name', name)];
  },
  answersOf: (message) => {
    if (roleOf(message) === 'function') return placed(message, 'name');
    return roleOf(message) === 'tool' ? placed(message, 'tool_call_id') : [];
  },
  endsWithAnswers: false,
  beside: 'behind',
  lostResults: (calls) =>
    calls.map(({ id, name }) =>
      name === ''
        ? `{"role":"tool","tool_call_id":${quoteJson(id)},"content":${NO_RESULT}}`
        : `{"role":"function","name":${quoteJson(name)},"content":${NO_RESULT}}`,
    ),
};

function blocksOf(message: JsonNode, type: string): readonly JsonNode[] {
  return items(member(message, 'content')).filter((block) => stringValue(member(block, 'type')) === type);
}

/** Neighbouring messages of one role are one turn, which begins with the results. */
export const ANTHROPIC_PAIRS: PairRule = {
  callsOf: (message) =>
    roleOf(message) === 'assistant' ? blocksOf(message, 'tool_use').flatMap((block) => placed(block, 'id')) : [],
  answersOf: (message) =>
    roleOf(message) === 'user' ? blocksOf(message, 'tool_result').flatMap((block) => placed(block, 'tool_use_id')) : [],
  isBeside: (message) => roleOf(message) === 'system',
  joins: (message) => roleOf(message) === 'assistant',
  endsWithAnswers: true,
  beside: 'in_front',
  lostResults: (calls) => {
    const results = calls.map(
      ({ id }) => `{"type":"tool_result","tool_use_id":${quoteJson(id)},"is_error":true,"content":${NO_RESULT}}`,
    );
    return [`{"role":"user","content":[${results.join(',')}]}`];
  },
};

export const BEDROCK_PAIRS: PairRule = {
  callsOf: (message) =>
    items(member(message, 'content')).flatMap((block) => placed(member(block, 'toolUse'), 'toolUseId')),
  answersOf: (message) =>
    items(member(message, 'content')).flatMap((block) => placed(member(block, 'toolResult'), 'toolUseId')),
  joins: (message) => roleOf(message) === 'assistant',
  endsWithAnswers: true,
  beside: 'in_front',
  lostResults: (calls) => {
    const results = calls.map(
      ({ id }) => `{"toolResult":{"toolUseId":${quoteJson(id)},"content":[{"text":${NO_RESULT}}],"status":"error"}}`,
    );
    return [`{"role":"user","content":[${results.join(',')}]}`];
  },
};

/** Calls and responses without ids find each other by name and place, so what is made up stands last. */
export const GEMINI_PAIRS: PairRule = {
  callsOf: (content) => geminiIds(content, 'functionCall'),
  answersOf: (content) => geminiIds(content, 'functionResponse'),
  joins: (content) => roleOf(content) === 'model',
  byName: true,
  endsWithAnswers: true,
  beside: 'behind',
  lostResults: (calls) => {
    const parts = calls.map(({ id, name }) => {
      const ids = id === name ? '' : `"id":${quoteJson(id)},`;
      return `{"functionResponse":{${ids}"name":${quoteJson(name)},"response":{"error":${NO_RESULT}}}}`;
    });
    return [`{"role":"user","parts":[${parts.join(',')}]}`];
  },
};

function geminiIds(content: JsonNode, kind: 'functionCall' | 'functionResponse'): PlacedId[] {
  return items(member(content, 'parts')).flatMap((part) => {
    const held = eitherMember(part, kind);
    const name = stringValue(member(held, 'name')) ?? '';
    return placed(held, 'id', name).map((call) => ({ ...call, id: call.id || name }));
  });
}

/** Calls of ModelMessages; those that the provider runs are none of the client's. */
export const AI_SDK_PAIRS: PairRule = {
  callsOf: (message) =>
    blocksOf(message, 'tool-call')
      .filter((call) => !isProviderExecuted(call))
      .flatMap((call) => placed(call, 'toolCallId', stringValue(member(call, 'toolName')))),
  answersOf: (message) =>
    roleOf(message) === 'tool' ? blocksOf(message, 'tool-result').flatMap((part) => placed(part, 'toolCallId')) : [],
  endsWithAnswers: false,
  beside: 'behind',
  lostResults: (calls) =>
    calls.map(({ id, name }) => {
      const ids = `"toolCallId":${quoteJson(id)},"toolName":${quoteJson(name)}`;
      return `{"role":"tool","content":[{"type":"tool-result",${ids},"output":{"type":"error-text","value":${NO_RESULT}}}]}`;
    }),
};

export function isProviderExecuted(part: JsonNode): boolean {
  const flag = member(part, 'providerExecuted');
  return flag?.kind === 'boolean' && flag.value;
}

/** `like` is a message of the list `text`: what is made up is wrapped as it is. */
export function langChainPairs(text: string, like: JsonNode | undefined): PairRule {
  return {
    callsOf: (node) => {
      const message = langChainMessage(node);
      if (message?.role !== 'assistant') return [];
      const blocks = items(member(message.held, 'content')).filter(isCallBlock);
      const calls = items(member(message.held, 'tool_calls')).flatMap((call) => placed(call, 'id'));
      return calls.map((call, place) => {
        const nth = calls.slice(0, place).filter(({ id }) => id === call.id).length;
        const block = blocks.filter((one) => callBlockId(one) === call.id)[nth];
        return block?.kind === 'object' ? { ...call, repeated: [{ holder: block, key: blockIdKey(block) }] } : call;
      });
    },
    answersOf: (node) => {
      const message = langChainMessage(node);
      if (message?.role !== 'tool') return [];
      return placed(message.held, member(message.held, 'tool_call_id') === undefined ? 'name' : 'tool_call_id');
    },
    endsWithAnswers: false,
    beside: 'behind',
    lostResults: (calls) =>
      calls.map(({ id }) =>
        wrapped(text, like, `"content":${NO_RESULT},"tool_call_id":${quoteJson(id)},"status":"error"`),
      ),
  };
}

function blockIdKey(block: JsonNode): string {
  return member(block, 'call_id') === undefined ? 'id' : 'call_id';
}

function wrapped(text: string, like: JsonNode | undefined, members: string): string {
  const wrap = like === undefined ? 'plain' : langChainMessage(like)?.wrap;
  if (wrap === 'constructor') {
    const names = items(member(like, 'id')).slice(0, -1);
    const id = [...names.map((name) => sourceOf(text, name)), '"ToolMessage"'].join(',');
    return `{"lc":1,"type":"constructor","id":[${id}],"kwargs":{${members},"type":"tool"}}`;
  }
  if (wrap === 'stored') return `{"type":"tool","data":{${members}}}`;
  const isTyped = like !== undefined && stringValue(member(like, 'type')) !== undefined;
  return `{${isTyped ? '"type"' : '"role"'}:"tool",${members}}`;
}
