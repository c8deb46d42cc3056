import { isClaudeBefore47 } from './claude-generation';
import type { ImageSize } from './image-size';

/** Whose formula counts; `unknown` takes the dearest. */
export type AttachmentProvider = 'openai' | 'anthropic' | 'gemini' | 'unknown';

/** As OpenAI names it; `auto`, `original` and none are counted as the largest that they may become. */
export type ImageDetail = 'low' | 'high' | 'auto' | 'original';

/** Documented cost of a picture in 512-px tiles, by model. */
const OPENAI_TILES: readonly (readonly [RegExp, { readonly base: number; readonly tile: number }])[] = [
  [/gpt-4o-mini/, { base: 2833, tile: 5667 }],
  [/computer-use/, { base: 65, tile: 129 }],
  [/^o[13](?![0-9])/, { base: 75, tile: 150 }],
  [/gpt-5(-chat|-20|$)/, { base: 70, tile: 140 }],
];
const OPENAI_DEFAULT_TILES = { base: 85, tile: 170 };

/** Documented cost of a picture in 32-px patches, by model: patches up to a limit, times a factor. */
const OPENAI_PATCHES: readonly (readonly [
  RegExp,
  { readonly factor: number; readonly high: number; readonly auto: number },
])[] = [
  [/(gpt-4\.1|gpt-5)-mini/, { factor: 1.62, high: 1536, auto: 1536 }],
  [/(gpt-4\.1|gpt-5)-nano/, { factor: 2.46, high: 1536, auto: 1536 }],
  [/o4-mini/, { factor: 1.72, high: 1536, auto: 1536 }],
  [/gpt-5\.[0-9]/, { factor: 1.2, high: 2500, auto: 10_000 }],
  [/gpt-[6-9]/, { factor: 1.2, high: 2500, auto: 12_000 }],
];

/** Claude: longest edge after scaling in pixels, and most tokens of one picture. */
const CLAUDE_IMAGE = { edgePx: 1568, maxTokens: 1600 };
const CLAUDE_IMAGE_SINCE_4_7 = { edgePx: 2576, maxTokens: 4784 };

/** Gemini 1.5 to 2.5: 258 tokens a tile of 768 px, at most 4 by 4 tiles; Gemini 3: at most 1,120 whatever the size. */
const GEMINI_TILE_TOKENS = 258;
const GEMINI_TILE_PX = 768;
const GEMINI_MAX_TILES = 16;
const GEMINI_3_IMAGE_TOKENS = 1120;

/** Tokens of one picture by the provider's documented formula; without a size, the most that it can cost. */
export function imageTokens(
  size: ImageSize | undefined,
  detail: ImageDetail | undefined,
  provider: AttachmentProvider,
  model = '',
): number {
  const id = model.toLowerCase().slice(model.lastIndexOf('/') + 1);
  switch (provider) {
    case 'openai':
      return openAiImageTokens(size, detail, id);
    case 'anthropic':
      return claudeImageTokens(size, id);
    case 'gemini':
      return geminiImageTokens(size);
    case 'unknown':
      return Math.max(openAiImageTokens(size, undefined, id), claudeImageTokens(size, id), geminiImageTokens(size));
  }
}

function openAiImageTokens(size: ImageSize | undefined, detail: ImageDetail | undefined, model: string): number {
  const patches = OPENAI_PATCHES.find(([pattern]) => pattern.test(model))?.[1];
  if (patches !== undefined) {
    const limit = detail === 'low' ? 256 : detail === 'high' ? patches.high : patches.auto;
    const needed = size === undefined ? limit : Math.ceil(size.width / 32) * Math.ceil(size.height / 32);
    return Math.ceil(Math.min(needed, limit) * patches.factor);
  }
  const { base, tile } = OPENAI_TILES.find(([pattern]) => pattern.test(model))?.[1] ?? OPENAI_DEFAULT_TILES;
  if (detail === 'low') return base;
  return base + tile * (size === undefined ? 8 : openAiTiles(size));
}

/** Scaled into 2048 px by 2048 px, then to a shortest side of 768 px, never up; at most 2 by 4 tiles of 512 px. */
function openAiTiles({ width, height }: ImageSize): number {
  const intoSquare = Math.min(1, 2048 / Math.max(width, height));
  const scale = intoSquare * Math.min(1, 768 / (Math.min(width, height) * intoSquare));
  return tilesAcross(width * scale, 512) * tilesAcross(height * scale, 512);
}

/** width * height / 750 after scaling; a thin picture costs its 28-px patches. */
function claudeImageTokens(size: ImageSize | undefined, model: string): number {
  const limits = model.includes('claude') && !isClaudeBefore47(model) ? CLAUDE_IMAGE_SINCE_4_7 : CLAUDE_IMAGE;
  if (size === undefined) return limits.maxTokens;
  const scale = Math.min(1, limits.edgePx / Math.max(size.width, size.height));
  const width = size.width * scale;
  const height = size.height * scale;
  const tokens = Math.max(Math.ceil((width * height) / 750), tilesAcross(width, 28) * tilesAcross(height, 28));
  return Math.min(limits.maxTokens, tokens);
}

function geminiImageTokens(size: ImageSize | undefined): number {
  const tiles =
    size === undefined
      ? GEMINI_MAX_TILES
      : Math.min(GEMINI_MAX_TILES, tilesAcross(size.width, GEMINI_TILE_PX) * tilesAcross(size.height, GEMINI_TILE_PX));
  return Math.max(GEMINI_3_IMAGE_TOKENS, tiles * GEMINI_TILE_TOKENS);
}

/** Rounded to a millionth first: 2048 * (768 / 2048) must not become one tile more. */
function tilesAcross(lengthPx: number, tilePx: number): number {
  return Math.max(1, Math.ceil(Math.round((lengthPx / tilePx) * 1e6) / 1e6));
}
