import type { FieldKind } from '../critical-field';
import { shapeOfToken } from '../token-shape';

/** Longer, a value is content and no id. */
const LONGEST_SCALAR = 200;
const DATE_AND_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|[-+]\d{2}:?\d{2}))?$/;
const SPACED_DIGITS = /^\+?\d[\d()-]*(?: [\d()-]{1,12}){1,6}$/;
const BANK_ACCOUNT = /^[A-Z]{2}\d{2}(?: [A-Z0-9]{1,4}){3,8}$/;
const HAS_SIGN_OR_DIGIT = /[\p{N}_./:@#$%&+=|\\-]/u;
/** Names of values that identify something, in what they end with. */
const NAMES_ID =
  /(?:^|[_.\-\s[\]]|(?<=[a-z]))(?:ids?|Ids?|ID|uuid|guid|pnr|ref|reference|code|token|key|sku|hash|sha|digest|handle|slug|serial|number|no|nr|num|iban|bic|locator|branch|tag|commit|etag|cursor|session|account|ticket|confirmation)$/i;

/**
 * What a scalar of a structure is; undefined for words, sentences and content. A word is taken for an id where its
 * name says so.
 */
export function kindOfScalar(value: string, name: string, isTyped: boolean): FieldKind | undefined {
  if (value === '' || value.length > LONGEST_SCALAR || value !== value.trim()) return undefined;
  if (DATE_AND_TIME.test(value)) return 'date';
  if (/\s/.test(value)) {
    return SPACED_DIGITS.test(value) || BANK_ACCOUNT.test(value) ? 'identifier' : undefined;
  }
  const shape = shapeOfToken(value, { isCode: false, isDetached: true });
  const isWhole = shape !== undefined && (shape.length === undefined || shape.length === value.length);
  // A string of digits is a name, where its structure could have held a number.
  if (isWhole && shape.kind === 'number' && isTyped && /^\d{5,}$/.test(value)) return 'identifier';
  if (isWhole) return shape.kind;
  if (NAMES_ID.test(name) && /^[^\s,;]{2,}$/.test(value) && !/^(?:true|false|null|none|yes|no)$/i.test(value)) {
    return 'identifier';
  }
  return isTyped && HAS_SIGN_OR_DIGIT.test(value) && /[\p{L}\p{N}]/u.test(value) ? 'identifier' : undefined;
}
