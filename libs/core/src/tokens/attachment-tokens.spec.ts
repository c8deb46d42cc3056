import fc from 'fast-check';
import { attachmentTokens } from './attachment-tokens';
import type { AttachmentProvider } from './image-tokens';

const picture = (width: number, height: number) => ({ mediaType: 'image/png', width, height });
const providers: AttachmentProvider[] = ['openai', 'anthropic', 'gemini', 'unknown'];

describe('tokens of a picture', () => {
  it.each([
    ['one tile', 512, 512, 255],
    ['the documented 1024 by 1024', 1024, 1024, 765],
    ['the documented 2048 by 4096', 2048, 4096, 1105],
    ['the largest', 8192, 3072, 1445],
    ['a thumbnail', 44, 44, 255],
  ])('OpenAI, %s', (_, width, height, tokens) => {
    expect(attachmentTokens(picture(width, height), 'openai', 'gpt-4o')).toBe(tokens);
  });

  it('OpenAI at low detail costs the same at any size', () => {
    expect(attachmentTokens({ ...picture(4000, 3000), detail: 'low' }, 'openai')).toBe(85);
  });

  it.each([
    ['gpt-4o-mini', 512, 512, 8500],
    ['o1', 512, 512, 225],
    ['gpt-5', 512, 512, 210],
    ['gpt-4.1-mini', 1024, 1024, 1659],
    ['gpt-5.5', 1024, 1024, 1229],
  ])('OpenAI %s by the table of the model', (model, width, height, tokens) => {
    expect(attachmentTokens(picture(width, height), 'openai', model)).toBe(tokens);
  });

  it.each([
    ['the documented 1000 by 1000', undefined, 1000, 1000, 1334],
    ['a large one', 'claude-sonnet-4-5', 4000, 3000, 1600],
    ['a large one since 4.7', 'claude-opus-4-7', 1920, 1080, 2765],
    ['the largest since 4.7', 'claude-opus-4-7', 4000, 4000, 4784],
    ['a thin one', undefined, 1400, 10, 50],
  ])('Anthropic, %s', (_, model, width, height, tokens) => {
    expect(attachmentTokens(picture(width, height), 'anthropic', model)).toBe(tokens);
  });

  it('Gemini, by tiles, and not below the fixed cost since Gemini 3', () => {
    expect(attachmentTokens(picture(300, 300), 'gemini')).toBe(1120);
    expect(attachmentTokens(picture(2304, 1536), 'gemini')).toBe(6 * 258);
  });

  it('costs the most that it can where its size is unknown', () => {
    const model = fc.constantFrom(
      undefined,
      'gpt-4o',
      'gpt-4o-mini',
      'gpt-5.5',
      'o4-mini',
      'claude-opus-4-6',
      'claude-opus-5',
    );
    const length = fc.integer({ min: 1, max: 20_000 });
    fc.assert(
      fc.property(fc.constantFrom(...providers), model, length, length, (provider, name, width, height) => {
        const known = attachmentTokens(picture(width, height), provider, name);
        expect(known).toBeGreaterThan(0);
        expect(known).toBeLessThanOrEqual(attachmentTokens({ mediaType: 'image/png' }, provider, name));
      }),
      { numRuns: 1000 },
    );
  });

  it('does not follow the length of its base64 text', () => {
    expect(attachmentTokens({ mediaType: 'image/jpeg', base64Length: 4_000_000 }, 'openai')).toBe(1445);
    expect(attachmentTokens({ base64Length: 4_000_000 }, 'anthropic')).toBe(1600);
  });
});

describe('tokens of a document or recording', () => {
  it('goes by pages, counted or guessed', () => {
    expect(attachmentTokens({ mediaType: 'application/pdf', pages: 3 }, 'gemini')).toBe(3 * 560);
    expect(attachmentTokens({ mediaType: 'application/pdf', base64Length: 40_000 }, 'anthropic')).toBe(3 * 4600);
    expect(attachmentTokens({ mediaType: 'application/pdf', base64Length: 40_000_000 }, 'openai')).toBe(100 * 3000);
    expect(attachmentTokens({ mediaType: 'application/pdf', url: 'https://example.org/a.pdf' }, 'openai')).toBe(
      10 * 3000,
    );
  });

  it('goes by seconds, guessed from the bytes', () => {
    expect(attachmentTokens({ mediaType: 'audio/wav', base64Length: 16_000 }, 'gemini')).toBe(3 * 32);
    expect(attachmentTokens({ mediaType: 'video/mp4' }, 'gemini')).toBe(60 * 300);
  });

  it('counts a file of text by its bytes', () => {
    expect(attachmentTokens({ mediaType: 'text/csv', base64Length: 4000 }, 'anthropic')).toBe(1500);
    expect(attachmentTokens({ mediaType: 'application/json', base64Length: 4000 }, 'anthropic')).toBe(1500);
  });
});
