import { member, sourceOf, stringValue, type JsonNode } from '../json';
import type { Attachment } from '../window/element';
import { audioAttachment, fileAttachment, pictureAttachment } from './attachments';

/** An image, file or recording of an input part of OpenAI's Responses; undefined for any other part. */
export function responsesAttachment(
  text: string,
  part: JsonNode | undefined,
  model: string | undefined,
): Attachment | undefined {
  if (part === undefined) return undefined;
  const source = sourceOf(text, part);
  switch (stringValue(member(part, 'type'))) {
    case 'input_image':
    case 'computer_screenshot':
      return pictureAttachment(
        stringValue(member(part, 'image_url')) ?? '',
        stringValue(member(part, 'detail')),
        source,
        model,
      );
    case 'input_audio':
      return audioAttachment(member(part, 'input_audio'), source, model);
    case 'input_file':
      return fileAttachment(
        stringValue(member(part, 'file_data')) ?? stringValue(member(part, 'file_url')) ?? '',
        source,
        model,
      );
    default:
      return undefined;
  }
}
