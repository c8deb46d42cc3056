const FORBIDS =
  /\b(?:no|not|never|none|nothing|nobody|without|neither|nor|only|avoid(?:s|ed|ing)?|except|unless|forbid(?:s|den)?|prohibit(?:s|ed)?|ban(?:s|ned)?|cannot|refus(?:e|es|ed)|instead|same|unchanged|untouched|intact|keep(?:s|ing)?|kept|leav(?:e|es|ing)|left alone|stay(?:s|ed|ing)?|exclud(?:e|es|ed|ing)|skip(?:s|ped|ping)?|stop(?:s|ped)?|off.limits|out of bounds|rather than|nicht|kein(?:e|en)?|ohne|nie|niemals|nur|pas|sans|jamais|aucune?|sin|nunca|no|non|mai|senza|não|nunca|sem)\b|n['’]t\b|不|没|勿|禁|ない|ません|必須|厳禁/iu;
/** Ways to forbid without a negation: leave from somebody first, or nothing before something. */
const DEMANDS =
  /\b(?:must|ha(?:s|ve) to|mandatory|required|compulsory|ask(?:s|ing)?(?: \w+)? (?:first|before)|before|until|muss|müssen|darf|dürfen|doit|doivent|debe|deben|deve|devono)\b/iu;
/** A negation that tells what happened forbids nothing. */
const TOLD_NEGATION =
  /\b(?:could|did|was|were|had|has|have|is|are)(?: not|n['’]t)(?: yet)?\b(?! (?:to|allowed|permitted|ok|okay|fine))/gi;
const NEGATED_RULE =
  /\b(?:not|only|never|no|without|cannot|don't|mustn't|avoid|nobody|nothing|none|forbidden|prohibited)\b|n['’]t\b/i;
const HARD_NEGATION =
  /\b(?:no|not|never|none|nothing|nobody|without|neither|nor|cannot|forbidden|prohibited)\b|n['’]t\b/i;
const CONDITION =
  /\b(?:only (?:for|in|when|if|during|with|on|as|where|while)|except|unless|apart from|other than|save for)\b/i;
const CONDITIONAL_RULE = /\b(?:without|unless|until|till|except|only|before|if|first|after|when|once|other|else)\b/i;
const RULE =
  /\b(?:must|should|shall|ought|may|might|can|could|will|would|has to|have to|allow(?:s|ed)?|permit(?:s|ted)?|fine|okay|ok|free to|always|rule|prefers?)\b/i;
/** Signs of a report; without them a clause is an order. */
const TOLD = /\b(?:\w{2,}ed|was|were|has|have|had|is|are|went|made|got|wants?)\b/i;
const PERMISSION = /\b(?:allowed|permitted|fine to|ok to|okay to|free to)\b/i;
/** What a rule holds back is told as possible. */
const POSSIBLE = /\bcan (?:also )?be \w+(?:ed|en|t)\b/i;
const HOLDS_BACK = /\b(?:not|never|no|without|cannot|only|leave|keep|stay|same|unchanged|as it is|as is)\b|n['’]t\b/i;
const HEDGE =
  /\b(?:prefer(?:s|ably|red|ence)?|ideally|if (?:possible|practical|practicable|convenient|feasible|you like|necessary|needed|(?:it|that|this) (?:does not|doesn't|is not|isn't))|where (?:possible|practical|practicable|convenient|feasible)|when(?:ever)? (?:possible|convenient)|as far as possible|as (?:little|few|rarely|seldom) as|to a minimum|acceptable|tolerable|if nothing else|(?:as|in) (?:a last resort|an emergency|emergencies)|if need be|(?:where|when|if) (?:it|that) helps|optional(?:ly)?|try to|tr(?:y|ies) not to|would rather|rather avoid|nice to have|would be nice|usually|generally|normally|mostly|mainly|largely|more or less|roughly|in most cases|in general|should consider|careful(?:ly)? (?:with|when)|with care|at (?:her|his|their|your|our) discretion|(?:it's|is|are) best|best to|better|advis(?:ed|able)|recommended|suggest(?:s|ed)?|sparingly|reasonable|reasonably|civilised|civilized|rarely|seldom|discouraged|undesirable|not ideal|permitting|should(?: be)? avoid(?:ed)?|hesitant|reluctant(?:ly)?|tends? to|tend(?:s|ing)? not to|somewhere (?:near|around)|in the region of|möglichst|nach Möglichkeit|wenn möglich|lieber|bevorzugt|vorzugsweise|am besten|de préférence|si possible|plutôt|autant que possible|preferiblemente|si es posible|a ser posible|mejor|preferibilmente|se possibile|meglio|de preferência|se possível)\b|できれば|なるべく|尽量|最好|尽可能/iu;
/** Words that turn a rule into a wish, whatever else the clause says. */
const SOFTENED =
  /\b(?:preferably|ideally|if (?:possible|practical|convenient|feasible)|where (?:possible|practical|practicable|convenient|feasible)|when (?:possible|convenient)|as far as possible|nice to have)\b/i;
/** In small letters only: the month is no permission. */
const MAY = /\b(?:may|might)\b/;
const FOREIGN =
  /(?<![\p{L}])(?:nicht|kein\p{L}*|bitte|und|oder|der|die|das|ein\p{L}{0,2}|ne|pas|il|le|les|des|une|et|est|el|los|las|por|para|puede|una|che|gli|della|deve|sono|não|uma|com)(?![\p{L}])|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}]/iu;
const ENGLISH = /\b(?:the|and|of|to|is|not|it|don't|do|please|my|be|with|for|must|never|only)\b/i;

/** A rule that forbids. */
export function isNegatedRule(text: string): boolean {
  return NEGATED_RULE.test(text);
}

/** Whether a clause forbids or demands, so that it may state a rule that forbids. */
export function isForbidding(text: string): boolean {
  const plain = text.replace(TOLD_NEGATION, ' ');
  return FORBIDS.test(plain) || DEMANDS.test(plain);
}

/** Whether a clause names the condition of a rule that allows something only then. */
export function isConditionOf(clause: string, rule: string): boolean {
  return /\bonly\b/i.test(rule) && CONDITIONAL_RULE.test(clause);
}

/** Whether a clause is about what ought to be, and not about what happened. */
export function isRule(text: string): boolean {
  return RULE.test(text) || !TOLD.test(text);
}

/** A rule without exceptions. */
export function isUnconditional(text: string): boolean {
  return !CONDITIONAL_RULE.test(text);
}

/** Whether a clause allows in some cases what a rule forbids. */
export function isConditional(text: string): boolean {
  return (
    CONDITION.test(text) &&
    !(HARD_NEGATION.test(text) && !/\b(?:except|unless|apart from|other than|save for)\b/i.test(text))
  );
}

/** Whether a clause takes a rule's force away, by a hedge or a permission that the rule has not. */
export function isSoftened(clause: string, rule: string): boolean {
  const isAllowed = POSSIBLE.test(clause) && HOLDS_BACK.test(rule) && !HOLDS_BACK.test(clause);
  return (
    isAllowed ||
    (isSoft(clause) && !isSoft(rule)) ||
    (isUnconditional(rule) && isNegatedRule(rule) && isConditional(clause))
  );
}

/** Whether a clause is a wish in so many words. */
export function isSoftenedAtAll(clause: string, rule: string): boolean {
  return SOFTENED.test(clause) && !SOFTENED.test(rule);
}

function isSoft(text: string): boolean {
  if (HEDGE.test(text)) return true;
  return (PERMISSION.test(text) || MAY.test(text)) && !HARD_NEGATION.test(text) && !/\bonly\b/i.test(text);
}

/** Whether a text is in another language than English. */
export function isForeign(text: string): boolean {
  return FOREIGN.test(text) && !ENGLISH.test(text);
}
