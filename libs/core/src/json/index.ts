export { insertItemsEdit, removeItemsEdit } from './array-edits';
export { items, member, memberEntries, stringValue } from './json-access';
export {
  JsonLimitError,
  JsonSyntaxError,
  isJsonError,
  type JsonErrorPosition,
  type JsonLimitCode,
} from './json-errors';
export {
  sourceOf,
  type JsonArray,
  type JsonBoolean,
  type JsonMember,
  type JsonNode,
  type JsonNull,
  type JsonNumber,
  type JsonObject,
  type JsonSpan,
  type JsonString,
} from './json-node';
export { jsonPointer, type JsonPath } from './json-pointer';
export { setMemberEdit } from './member-edits';
export { parseJson, type JsonLimits } from './parse-json';
export { quoteJson } from './quote-json';
export { rebuildArray, type ArrayPart } from './rebuild-array';
export { applyEdits, TextEditError, type TextEdit } from './text-edits';
export { toPlain, type PlainJson, type PlainJsonObject } from './to-plain';
