'use strict';

/**
 * Hundredths of a token that a UTF-16 unit of a script may cost other vocabularies beyond 1.35 times its share in
 * o200k_base, which learned these scripts far better than most. Each is above what one paragraph per script showed for
 * the Claude 2, cl100k and Mistral 7B vocabularies (Hindi 0.65, Arabic 0.39, Korean 0.38, emoji 0.55, Russian 0.14,
 * Japanese 0.07, Chinese 0.13). Llama 2, with bytes for most of these scripts, may need more in Chinese and Korean.
 * First match counts; `until` is exclusive.
 */
const ALLOWANCES = [
  { until: 0x0370, hundredths: 0 }, // Latin and its marks
  { until: 0x0530, hundredths: 20 }, // Greek, Cyrillic
  { until: 0x1100, hundredths: 90 }, // Hebrew, Arabic, Indic, Thai, Georgian ...
  { until: 0x1200, hundredths: 60 }, // Hangul jamo
  { until: 0x2000, hundredths: 90 },
  { until: 0x2e80, hundredths: 50 }, // punctuation, arrows, symbols, box drawing
  { until: 0xa000, hundredths: 20 }, // Han, kana
  { until: 0xac00, hundredths: 90 },
  { until: 0xd7b0, hundredths: 60 }, // Hangul
  { until: 0xe000, hundredths: 60 }, // surrogates: emoji and rare scripts
  { until: 0x10000, hundredths: 50 },
];
const BEYOND_LATIN = /[\u0370-\uffff]/;

/** The allowance of `text` in hundredths of a token; 0 for Latin text. Sums up over the parts of a text. */
function scriptAllowanceHundredths(text) {
  if (!BEYOND_LATIN.test(text)) return 0;
  let hundredths = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x0370) continue;
    for (const allowance of ALLOWANCES) {
      if (unit < allowance.until) {
        hundredths += allowance.hundredths;
        break;
      }
    }
  }
  return hundredths;
}

module.exports = { scriptAllowanceHundredths };
