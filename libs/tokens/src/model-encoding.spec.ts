import { countingOfModel } from './model-encoding';

describe('counting of a model', () => {
  it.each([
    [undefined, 'o200k_base'],
    ['gpt-4o', 'o200k_base'],
    ['gpt-4o-mini-2024-07-18', 'o200k_base'],
    ['openai/gpt-4.1-nano', 'o200k_base'],
    ['GPT-5', 'o200k_base'],
    ['gpt-5.2-codex', 'o200k_base'],
    ['o1', 'o200k_base'],
    ['o3-mini', 'o200k_base'],
    ['o4-mini', 'o200k_base'],
    ['gpt-oss-120b', 'o200k_base'],
    ['ft:gpt-4o-mini-2024-07-18:org::id', 'o200k_base'],
    ['gpt-4', 'cl100k_base'],
    ['gpt-4-turbo', 'cl100k_base'],
    ['gpt-3.5-turbo-0125', 'cl100k_base'],
    ['gpt-35-turbo', 'cl100k_base'],
    ['text-embedding-3-small', 'cl100k_base'],
    ['claude-3-5-sonnet-20241022', 'upper_bound(o200k_base x1.35)'],
    ['claude-sonnet-4-20250514', 'upper_bound(o200k_base x1.35)'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'upper_bound(o200k_base x1.35)'],
    ['anthropic/claude-opus-4.6', 'upper_bound(o200k_base x1.35)'],
    ['claude-opus-4-7', 'upper_bound(o200k_base x1.8)'],
    ['claude-sonnet-5-5', 'upper_bound(o200k_base x1.8)'],
    ['claude-sonnet-latest', 'upper_bound(o200k_base x1.8)'],
    ['models/gemini-3-pro', 'upper_bound(o200k_base x1.4)'],
    ['mistral-large-latest', 'upper_bound(o200k_base x1.5)'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'upper_bound(o200k_base x1.25)'],
    ['codellama-34b', 'upper_bound(o200k_base x1.5)'],
    ['qwen3-coder', 'upper_bound(o200k_base x1.4)'],
    ['deepseek-chat', 'upper_bound(o200k_base x1.35)'],
    ['amazon.nova-pro-v1:0', 'upper_bound(o200k_base x1.5)'],
    ['gpt-6', 'upper_bound(o200k_base x1.5)'],
    ['olympus-7b', 'upper_bound(o200k_base x1.5)'],
    ['', 'upper_bound(o200k_base x1.5)'],
  ])('%s is counted with %s', (model, name) => {
    expect(countingOfModel(model).name).toBe(name);
  });
});
