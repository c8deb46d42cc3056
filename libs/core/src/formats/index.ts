import type { FormatName } from '../terms';
import { aiSdkFormat } from './ai-sdk-format';
import { anthropicFormat } from './anthropic-format';
import { bedrockConverseFormat } from './bedrock-format';
import { elementsFormat } from './elements-format';
import { geminiFormat } from './gemini-format';
import { langchainFormat } from './langchain-format';
import { openaiChatFormat } from './openai-chat-format';
import { openaiResponsesFormat } from './openai-responses-format';
import type { WindowFormat } from './window-format';

export { aiSdkFormat } from './ai-sdk-format';
export { anthropicFormat } from './anthropic-format';
export { bedrockConverseFormat } from './bedrock-format';
export { detectFormat } from './detect-format';
export { elementsFormat } from './elements-format';
export { geminiFormat } from './gemini-format';
export { langchainFormat } from './langchain-format';
export { replaceLoneSurrogates } from './lone-surrogates';
export { openaiChatFormat } from './openai-chat-format';
export { openaiResponsesFormat } from './openai-responses-format';
export {
  DEFAULT_READ_LIMITS,
  type Insertion,
  type ReadAnswer,
  type ReadLimits,
  type WindowChanges,
  type WindowFormat,
} from './window-format';

const FORMATS: Readonly<Record<FormatName, WindowFormat>> = {
  elements: elementsFormat,
  'openai-chat': openaiChatFormat,
  'openai-responses': openaiResponsesFormat,
  anthropic: anthropicFormat,
  'ai-sdk': aiSdkFormat,
  langchain: langchainFormat,
  gemini: geminiFormat,
  'bedrock-converse': bedrockConverseFormat,
};

/** The format of that name. */
export function formatOf(name: FormatName): WindowFormat {
  return FORMATS[name];
}
