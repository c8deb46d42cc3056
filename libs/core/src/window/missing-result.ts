/** Stands as the result of a call that the window went on without: whether it took effect is not known. */
export const MISSING_RESULT_TEXT =
  '[No result of this call is in the window: the turn was interrupted. Whether it took effect is not known.]';

/** Room for what a provider's structure puts around the words. */
const AROUND_CHARACTERS = 100;

/** Whether a result says nothing but that there is none. */
export function saysNoResult(text: string): boolean {
  return text.length <= MISSING_RESULT_TEXT.length + AROUND_CHARACTERS && text.includes(MISSING_RESULT_TEXT);
}
