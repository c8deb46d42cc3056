/** What a sentence says that somebody would keep, with the weight that it has. */
const STATEMENTS: readonly (readonly [RegExp, number])[] = [
  // causes and findings
  [
    /\b(?:because|due to|caused by|causes?|root cause|the reason|turns out|the (?:real |actual |main )?(?:issue|problem|bug|culprit)|explains?|confirms?|confirmed|that'?s why|which means|means that|found|discovered|identified|the fix)\b/i,
    3,
  ],
  // rejected approaches
  [
    /\b(?:(?:already )?tried|(?:did|does|do|was|were|is|are|has|have|could|will|would)(?: not|n[o']t|n’t)|won't|can(?:not|'t|’t| not)|unable|no longer|reverted?|rolled back|instead of|rather than|not an option|ruled out|abandon(?:ed)?|wrong|incorrect|doesn'?t work|not (?:allowed|possible|available|supported|enough))\b/i,
    3,
  ],
  // decisions
  [
    /\b(?:decided|decision|(?:I'?ll|we'?ll|will|going to) (?:use|keep|stay|go with|skip)|chose|chosen|best (?:option|solution|approach|fix)|cleanest|prefer(?:red)?|should(?:n'?t)?|must(?:n'?t)?|need(?:s|ed)? to|requires?|required|only|never|always|keep|leave)\b/i,
    2,
  ],
  // failures
  [
    /\b(?:fail(?:s|ed|ing|ure)?|errors?|broken|breaks?|missing|mismatch|conflicts?|duplicates?|unexpected|declined|rejected|denied|blocked|unused|stale|outdated|timed out|crash(?:es|ed)?)\b|[❌✗✘⚠]/iu,
    2,
  ],
  // outcomes
  [
    /\b(?:succeeded|success(?:fully|ful)?|passes|passed|passing|completed?|done|built|builds|created|updated|added|removed|deleted|renamed|replaced|changed|moved|fixed|resolved|merged|pushed|committed|cancelled|canceled|booked|refund(?:ed)?|charged|exchanged|returned|transferred)\b|[✅✓✔]/iu,
    2,
  ],
  // open questions and what remains
  [
    /\b(?:todo|remaining|remains|still|pending|unresolved|next steps?|unclear|unknown|not (?:yet|sure)|waiting|blocked|open question|follow[- ]up|later)\b/i,
    2,
  ],
  // results of own calculations
  [
    /\b(?:total(?:s|ing|ed)?|sum|count|average|difference|cost(?:s|ing)?|prices?|balance|amount|equals?|result(?:s|ed)?)\b|[=≈]/i,
    2,
  ],
  // the same of other languages: causes, rejections, decisions, failures, outcomes, open points
  [
    /(?:\b(?:weil|wegen|ursache|grund|liegt an|statt|nicht|kein(?:e|en|er)?|entschieden|muss|fehlt|fehler|behoben|erledigt|offen|noch)\b|(?<!\p{L})à cause\b|\b(?:parce que|en raison|au lieu|plutôt que|décidé|il faut|doit|échou|erreur|manque|corrigé|terminé|reste)|\bn[e'’]\s?[^.!?]{1,40}\b(?:pas|plus|jamais)\b|因为|由于|原因|因此|所以|决定|选择|改用|不能|不要|无法|没有|失败|错误|缺少|已完成|成功|修复|未解决|必须|需要|ため|原因|なので|決定|選択|代わりに|できない|できません|しない|失敗|エラー|不足|完了|成功|修正|未解決|必要)/iu,
    3,
  ],
];

/** Openings that announce or accompany and state nothing. */
const ANNOUNCEMENT =
  /^[-•+\d.)\s]*(?:ok(?:ay)?[,.]?\s+|now[,]?\s+|perfect[!,.]?\s+|great[!,.]?\s+|first[,]?\s+|next[,]?\s+|then[,]?\s+|so[,]?\s+)*(?:let(?: me|'s|’s| us)\b|i(?:'ll| will|’ll| am going to|'m going to)\b|i (?:need|want) to\b|i (?:can|could) (?:also )?(?:help|assist)\b|step \S+:|looking at\b|checking\b|here (?:is|are|'s)\b|now (?:i|let|we)\b)/i;
const ANNOUNCEMENT_ELSEWHERE =
  /^(?:让我|我来|我将|接下来|现在我|まず|次に|これから|それでは|lass(?:t|en sie)? (?:mich|uns)\b|ich (?:werde|schaue|prüfe)\b|als nächstes\b|je vais\b|laissez-moi\b|voyons\b|regardons\b)/iu;
const COURTESY =
  /^(?:great|perfect|excellent|awesome|sure|certainly|of course|absolutely|thanks?(?: you)?|i(?:'d| would|’d) be (?:happy|glad) to|i(?:'m|’m| am) (?:happy|glad|here) to|you'?re (?:welcome|(?:absolutely )?right)|no problem|understood|got it|done|good|nice|hello|hi|hey|safe travels|have a)\b[^.!?]{0,60}[.!?]*$/i;
const OFFER =
  /\b(?:let me know|feel free|happy to help|anything else|if you (?:have|need|would like)|would you like|do you want me|can i (?:help|assist)|could you (?:please )?(?:provide|tell|confirm|share)|please (?:provide|confirm|let)|once i have|i (?:can|will) (?:then )?(?:proceed|assist|help))\b/i;

/** Placeholders of sealed values, whatever their brackets; ids and addresses cannot be guessed again. */
const PLACEHOLDER = /\d+:(identifier|number|amount|path|url|email|date|version|hash|name|flag)[⟧⟫⦄⧽]/g;
const UNGUESSABLE = new Set(['identifier', 'path', 'url', 'email', 'hash']);
const POINTS_BACK =
  /^[*_"'(]{0,3}(?:(?:this|that|these|those|it|they|he|she|dies(?:e[rsn]?)?|es|cela|ça|ceci)\b(?!['’]?s why)|这|那|它|これ|それ)/iu;
/** Patterns see this much of a sentence. */
const MAX_MATCHED = 1_200;
const MAX_COUNTED_VALUES = 6;

/**
 * How much a sentence is worth keeping: 0 for announcements and courtesies, more for causes, rejected approaches,
 * decisions, failures, outcomes, open points, calculations and values.
 */
export function worthOfSentence(sentence: string, isLeadIn: boolean): number {
  const matched = sentence.slice(0, MAX_MATCHED);
  const bare = matched.replace(/[*_`#>]+/g, '').trim();
  if (!/\p{L}/u.test(bare) || COURTESY.test(bare)) return 0;
  let worth = 0;
  for (const [pattern, weight] of STATEMENTS) if (pattern.test(bare)) worth += weight;
  worth += Math.min(worthOfValues(matched), MAX_COUNTED_VALUES);
  if (OFFER.test(bare)) return worth > 4 && !bare.endsWith('?') ? 1 : 0;
  if (isAnnouncement(bare)) return isLeadIn || worth < 5 ? 0 : worth - 4;
  return worth;
}

function worthOfValues(sentence: string): number {
  let worth = 0;
  for (const [, kind] of sentence.matchAll(PLACEHOLDER)) worth += UNGUESSABLE.has(kind ?? '') ? 2 : 1;
  return worth;
}

/** Whether a line only announces what follows and gives it no name (`Here are the details:`). */
export function isMereAnnouncement(sentence: string): boolean {
  const bare = sentence
    .slice(0, MAX_MATCHED)
    .replace(/[*_`#>]+/g, '')
    .trim();
  return isAnnouncement(bare) || COURTESY.test(bare);
}

function isAnnouncement(bare: string): boolean {
  return ANNOUNCEMENT.test(bare) || ANNOUNCEMENT_ELSEWHERE.test(bare);
}

/** Whether a sentence opens with a word that points at the one before it (`This fails because …`). */
export function pointsBack(sentence: string): boolean {
  return POINTS_BACK.test(sentence.slice(0, 60));
}
