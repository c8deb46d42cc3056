export { readTranscript, readTranscripts } from './read-transcript';
export {
  MISSING_BEGINNING_TEXT,
  TRANSCRIPT_KINDS,
  type Transcript,
  type TranscriptAnswer,
  type TranscriptKind,
  type TranscriptRepair,
} from './transcript';
export { MISSING_RESULT_TEXT } from '../window/missing-result';
