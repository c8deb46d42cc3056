import type { CompactionPart } from '@holdfast/contracts';
import type { RecallSetting, Receipt } from '@holdfast/core';
import { Injectable } from '@nestjs/common';
import { type Caller, mayActFor } from '../auth/caller';
import { type RawMember, splicedJson } from '../http/spliced-json';
import {
  AgentRepository,
  CompactionRepository,
  type CompactionResult,
  SessionRepository,
  type StoredCompaction,
} from '../ports/repositories';
import { ApiProblem } from '../problems/api-problem';
import { compactionView } from './compaction-view';
import { RecallTools } from './recall-tool';

/** The window to go on with after a compaction. */
export interface WindowToGoOnWith {
  readonly origin: 'compacted' | 'as_sent' | 'best_proven';
  readonly bytes: Uint8Array;
}

/** Finds compactions and writes answers about them. What a caller may not see is unknown to it. */
@Injectable()
export class CompactionAnswers {
  constructor(
    private readonly compactions: CompactionRepository,
    private readonly sessions: SessionRepository,
    private readonly agents: AgentRepository,
    private readonly recallTools: RecallTools,
  ) {}

  async load(caller: Caller, id: string): Promise<StoredCompaction> {
    const compaction = await this.compactions.find(caller.tenantId, id);
    if (compaction === undefined || !mayActFor(caller, compaction.agentId)) throw new ApiProblem('COMPACTION_UNKNOWN');
    return compaction;
  }

  async loadResult(caller: Caller, id: string): Promise<CompactionResult> {
    const result = await this.compactions.findResult(caller.tenantId, id);
    if (result === undefined || !mayActFor(caller, result.compaction.agentId)) {
      throw new ApiProblem('COMPACTION_UNKNOWN');
    }
    return result;
  }

  /** JSON of a compaction; the parts asked for stand in it as the bytes that are stored. */
  async render(caller: Caller, id: string, parts: readonly CompactionPart[]): Promise<Buffer> {
    const result = await this.loadResult(caller, id);
    const { compaction, receiptJson } = result;
    const agent = await this.agents.findAgent(caller.tenantId, compaction.agentId);
    const recallTool =
      agent?.recall === 'tool' ? await this.recallTools.toolFor(compaction.format, compaction.model) : null;
    const view: Record<string, unknown> = { ...compactionView(result, { recallTool }) };
    const raw: RawMember[] = [];
    if (parts.includes('decisions')) {
      view['decisions'] = receiptJson === undefined ? null : (JSON.parse(receiptJson) as Receipt).elements;
    }
    if (parts.includes('receipt')) raw.push({ name: 'receipt', json: receiptJson ?? 'null' });
    if (parts.includes('window') && compaction.status === 'finished') {
      const { origin, bytes } = await this.loadWindow(caller, compaction);
      view['window_origin'] = origin;
      raw.push({ name: 'window', json: bytes });
    }
    return splicedJson(view, raw);
  }

  /** JSON of a compaction that was accepted this moment: nothing else is known of it yet. */
  async renderAccepted(compaction: StoredCompaction, recall: RecallSetting): Promise<Buffer> {
    const recallTool = recall === 'tool' ? await this.recallTools.toolFor(compaction.format, compaction.model) : null;
    const result = { compaction, receiptJson: undefined, refusal: undefined, incidents: [] };
    return splicedJson({ ...compactionView(result, { recallTool }) }, []);
  }

  /**
   * What the pass handed out; without that, what was sent, which is valid as ever. An adopted best proven window has
   * taken its place. Throws COMPACTION_NOT_FINISHED.
   */
  async loadWindow(caller: Caller, compaction: StoredCompaction): Promise<WindowToGoOnWith> {
    if (compaction.status !== 'finished') throw notFinished();
    const isAdopted = compaction.adoptedAt !== undefined;
    const output = isAdopted || compaction.outcome === 'compacted' ? compaction.outputWindowId : undefined;
    const windowId = output ?? compaction.inputWindowId;
    const bytes = await this.sessions.findWindowSource(caller.tenantId, compaction.sessionId, windowId);
    if (bytes === undefined) throw new ApiProblem('WINDOW_UNKNOWN');
    const origin = output === undefined ? 'as_sent' : isAdopted ? 'best_proven' : 'compacted';
    return { origin, bytes };
  }
}

/** The answer to whoever asks for a result too early. */
export function notFinished(): ApiProblem {
  return new ApiProblem('COMPACTION_NOT_FINISHED', undefined, { headers: { 'Retry-After': '1' } });
}
