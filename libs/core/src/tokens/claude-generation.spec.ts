import { isClaudeBefore47 } from './claude-generation';

describe('Claude before 4.7', () => {
  it.each([
    'claude-instant-1.2',
    'claude-2.1',
    'anthropic.claude-v2:1',
    'claude-3-haiku-20240307',
    'claude-3.7-sonnet',
    'claude-opus-4-20250514',
    'claude-sonnet-4@20250514',
    'claude-opus-4-1-20250805',
    'eu.anthropic.claude-haiku-4-5-20251001-v1:0',
    'anthropic/claude-opus-4.6',
    'claude-opus-4',
  ])('%s is', (model) => {
    expect(isClaudeBefore47(model)).toBe(true);
  });

  it.each([
    'claude-opus-4-7',
    'claude-opus-4.8',
    'claude-opus-4-10',
    'claude-sonnet-5',
    'claude-opus-5-5-20261001',
    'claude-sonnet-latest',
    'claude',
    'gpt-4o',
  ])('%s is not, or may be newer', (model) => {
    expect(isClaudeBefore47(model)).toBe(false);
  });
});
