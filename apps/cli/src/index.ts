export { CliError } from './cli-error';
export { loadToolContracts } from './inputs/tool-contracts';
export { loadTranscript, toolsOf } from './inputs/transcript-file';
export { budgetOfTranscript } from './inputs/window-budget';
export type { PassReport, PhaseTime, ReportedEffect, ReportedRecord } from './report/pass-report';
export { renderReport, type ReportOptions } from './report/render-report';
export { styleFor, type Style } from './report/style';
