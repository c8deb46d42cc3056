/** Verbs that ask for what is there and change nothing. What is not in here is no reading verb. */
export const READING_VERBS: ReadonlySet<string> = words(
  'get list find search fetch read retrieve lookup query describe inspect view show check count compare peek grep glob ' +
    'ls cat stat diff tree head tail whoami pwd rg',
);

/** Verbs that compute from their arguments alone. */
export const COMPUTING_VERBS: ReadonlySet<string> = words('calculate calc compute estimate think');

/** Words that begin a question about a state. */
export const QUESTION_WORDS: ReadonlySet<string> = words('is has can does are exists');

/**
 * Verbs that change something, wherever they stand in a name. Verbs that are as often nouns (order, return, request,
 * file, post, comment) are not in here: behind a reading verb they name what is read.
 */
export const CHANGING_VERBS: ReadonlySet<string> = words(
  'accept ack acknowledge acquire activate add alloc allocate alter amend append apply approve archive assign attach ' +
    'authorize autofix backup ban block bootstrap buy cancel checkin checkout claim clean cleanup clear click clone ' +
    'commit-to complete configure confirm consume convert create deactivate decline decrement decr delete deny deploy ' +
    'deposit dequeue destroy detach disable discard dismiss dispatch drop edit emit enable enqueue enroll enter erase ' +
    'escalate evict exec execute expire export finalize fire flush forward freeze generate grant hide hire import incr ' +
    'increment init initialize insert install invalidate invite invoke join kick kill launch lease lock make mark merge ' +
    'migrate modify move mutate mute notify obtain onboard overwrite pause pay persist pop promote provision publish ' +
    'purge push put reboot rebuild redeem redo register reject remove rename renew replace ' +
    'reschedule reserve reset resolve restart restore resume retry revert revoke rm rollback rotate save sell send set ' +
    'settle sign start stop submit subscribe suspend swap sync take terminate toggle transition trash trigger truncate ' +
    'unassign unblock undo unfreeze uninstall unlock unpublish unregister unsubscribe update upgrade upload upsert ' +
    'vacuum wipe withdraw write del replay requeue touch transform inject override adjust fix repair prune connect ' +
    'disconnect correct refresh reload reindex rebuild recompute rerun',
);

/** Words behind which a second action begins. */
export const CONNECTORS: ReadonlySet<string> = words('and or then else plus also n');

/** Words in front of what selects: no action stands behind them but after a connector. */
export const SELECTORS: ReadonlySet<string> = words('by for of in from with within where between per at since until');

/** Words that stand in front of a noun and say nothing of it. */
export const ARTICLES: ReadonlySet<string> = words('a an the my your our');

/** What it means to get these is to have somebody give, choose or hand over something. */
export const GIVEN_OBJECTS: ReadonlySet<string> = words(
  'approval consent confirmation feedback input signature signoff permission rid next new fresh temporary temp otp updates ' +
    'paid ready started going it done lock lease ticketed',
);

/** Objects that are had, not looked at, when nothing says otherwise (`get_refund`). */
export const OBTAINED_OBJECTS: ReadonlySet<string> = words(
  'refund exchange replacement return transfer discount upgrade extension loan ride cab taxi appointment job help cash ' +
    'money parcel package luggage',
);

/** Behind `check`, `get`, `read` or `count` these make another verb (`check out`, `read out`, `get rid`). */
export const PARTICLES: ReadonlySet<string> = words('out in off on down away back over into through aloud off up');

/** What a check looks at. */
export const CHECKED_ASPECTS: ReadonlySet<string> = words(
  'status state availability balance eligibility health version connectivity connection speed usage limit limits quota ' +
    'inventory stock price prices weather progress settings preference preferences permission permissions restriction ' +
    'restrictions history access existence validity expiry expiration compatibility capacity level levels result results ' +
    'score logs inbox schedule calendar requirements rules policy mode size network signal battery spelling grammar ' +
    'syntax coverage exists available eligible traffic credit deadline',
);

/** Things that are ticked off, dropped off or let in when they are checked. */
export const CHECKED_OFF: ReadonlySet<string> = words(
  'bag bags baggage baggages luggage suitcase suitcases coat coats item items task tasks todo todos box boxes checkbox ' +
    'checkboxes guest guests passenger passengers patient patients step steps ticket tickets voucher vouchers coupon ' +
    'coupons book books mark marks cell cells radio option options',
);

/** Singular words that name many things. */
export const COLLECTIVES: ReadonlySet<string> = words(
  'directory dir folder files contents content history inventory tree all everything catalog schema children data info ' +
    'metadata staff people media equipment',
);

/** To list something there is to offer it. */
export const MARKET_WORDS: ReadonlySet<string> = words(
  'sale rent auction auctions market marketplace resale lease hire ebay exchange store shop storefront',
);

/** What is shown to a person is a change of their screen. */
export const SCREEN_OBJECTS: ReadonlySet<string> = words(
  'notification notifications dialog message toast alert popup modal banner ad overlay window tooltip prompt screen ' +
    'image video',
);

/** First words of tool names that say where, not what. */
export const PLACE_WORDS: ReadonlySet<string> = words(
  'web file files code docs doc db database kb api image news knowledge vector semantic text',
);

/** The ending of a derived form: what was `created` or is a `creator` is no order to create. */
const DERIVED =
  /^(?:s|d|r|rs|ee|ees|[a-z]?(?:ed|ers?|ors?|ing|ings|ions?|ations?)|able|ments?|als?|ures?|ance|ants?|ives?|ly)$/u;
/** Shorter verbs begin too many other words (`set`, `add`, `put`). */
const MIN_COMPOUND_CHARS = 5;

/** True for a word of a name that orders a change: a changing verb, or one that is written together with its object. */
export function isChangingWord(word: string): boolean {
  if (CHANGING_VERBS.has(word)) return true;
  for (let length = MIN_COMPOUND_CHARS; length < word.length; length += 1) {
    if (CHANGING_VERBS.has(word.slice(0, length)) && !DERIVED.test(word.slice(length))) return true;
  }
  return false;
}

/** True for a word of a sentence that tells of a change as an act: `create`, `creates`. */
export function isChangingForm(word: string): boolean {
  return (
    CHANGING_VERBS.has(word) ||
    (word.endsWith('s') && CHANGING_VERBS.has(word.slice(0, -1))) ||
    (word.endsWith('es') && CHANGING_VERBS.has(word.slice(0, -2))) ||
    (word.endsWith('ies') && CHANGING_VERBS.has(`${word.slice(0, -3)}y`))
  );
}

/** True for words that look like plurals. */
export function isPlural(word: string): boolean {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss');
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
