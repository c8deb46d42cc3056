import {
  auditReport,
  type AuditReport,
  auditTranscript,
  auditWindows,
  type AuditWindow,
  InvalidWindowError,
  TRANSCRIPT_KINDS,
} from '@holdfast/core';
import { CliError } from '../cli-error';
import { readTextFile } from '../inputs/text-file';
import { loadToolContracts } from '../inputs/tool-contracts';
import { loadTranscript } from '../inputs/transcript-file';
import { auditLines } from '../report/audit-report-lines';
import type { Command } from './command';
import { parseCommandLine } from './options';

const HELP = `holdfast audit BEFORE AFTER [--later FILE] [--contracts FILE] [--json]
holdfast audit TRANSCRIPT [--contracts FILE] [--json]

Reports what somebody's compaction lost or changed: values that drifted, rules, fired actions and open steps of plans
that are not there any more, with the place. Nothing is sent anywhere.

BEFORE and AFTER are the windows around one compaction: lists of messages or requests in any format, each its own.
TRANSCRIPT is a session that records its own compactions (Claude Code, pi, Codex, OpenHands): each is audited, with what
the session did behind it.

What stands in both windows byte for byte is fine. What is new in AFTER is taken as the summary.

  --later FILE       the window as it grew behind AFTER: shows which values and actions were needed again
  --format NAME      format of BEFORE, or kind of TRANSCRIPT, when it cannot be told from the text
  --after-format N   format of AFTER
  --contracts FILE   tool contracts by tool name: without them no tool is known to write
  --json             the whole report as one JSON object

Exit code: 0 nothing that makes a later step wrong, 1 something was lost or changed, 2 wrong command line, a file that
cannot be read, or a transcript without a compaction.`;

const OPTIONS = {
  later: { type: 'string' },
  format: { type: 'string' },
  'after-format': { type: 'string' },
  contracts: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const auditCommand: Command = {
  name: 'audit',
  summary: 'report what any compaction lost, from its windows or a transcript',
  help: HELP,
  run(args, terminal) {
    const { values, positionals } = parseCommandLine('audit', args, OPTIONS);
    const contracts = values.contracts === undefined ? {} : loadToolContracts(values.contracts);
    const [before, after, ...others] = positionals;
    if (before === undefined || others.length > 0) {
      throw new CliError('audit takes two windows, or one transcript. See "holdfast audit --help".', 2);
    }
    if (after === undefined && (values.later !== undefined || values['after-format'] !== undefined)) {
      throw new CliError('--later and --after-format go with two windows.', 2);
    }
    const report = mended(() => {
      if (after === undefined) return ofTranscript(before, values.format, contracts);
      const later = values.later === undefined ? {} : { later: windowOf(values.later, values['after-format']) };
      const windows = { before: windowOf(before, values.format), after: windowOf(after, values['after-format']) };
      return auditReport([auditWindows({ ...windows, ...later, contracts })]);
    });
    if (values.json === true) terminal.print(JSON.stringify(report));
    else for (const line of auditLines(report, terminal.style)) terminal.print(line);
    return Promise.resolve(report.totals.errors > 0 ? 1 : 0);
  },
};

function ofTranscript(
  path: string,
  format: string | undefined,
  contracts: ReturnType<typeof loadToolContracts>,
): AuditReport {
  const kind = TRANSCRIPT_KINDS.find((name) => name === format);
  if (format !== undefined && kind === undefined) {
    throw new CliError(`Unknown kind "${format}". Use one of: ${TRANSCRIPT_KINDS.join(', ')}.`, 2);
  }
  const report = auditTranscript(readTextFile(path), { contracts, ...(kind === undefined ? {} : { kind }) });
  if (report.totals.boundaries === 0) {
    throw new CliError(
      `${path} records no compaction. Give the windows before and after one instead: holdfast audit BEFORE AFTER.`,
      2,
    );
  }
  return report;
}

function windowOf(path: string, format: string | undefined): AuditWindow {
  const { format: name, source } = loadTranscript(path, format);
  return { format: name, source };
}

/** What the person can mend, in the exit code that is not "something was lost". */
function mended(audit: () => AuditReport): AuditReport {
  try {
    return audit();
  } catch (error) {
    if (error instanceof CliError) throw new CliError(error.message, 2);
    if (error instanceof InvalidWindowError)
      throw new CliError(`A window cannot be read: ${error.message}. ${error.remedy}`, 2);
    throw error;
  }
}
