import type { StoredRecord } from '../ports';
import { isLive } from '../secure/live-record';
import type { Element } from '../window/element';
import { isReadOnly, type EffectOf } from './call-effect';
import { quoteStart } from './quote';
import {
  findRunningHandle,
  saysFinished,
  saysItFailed,
  speaksOfAnEnd,
  wordsAround,
  type RunningHandle,
} from './running-handle';
import type { WindowContext } from './window-context';

/** A result that names work which no later text says has ended. */
export interface RunningWork {
  readonly result: Element;
  readonly tool: string;
  readonly handle: RunningHandle;
}

/** Work of which a later text says that it has ended. */
export interface EndedWork {
  readonly handle: Pick<RunningHandle, 'name' | 'id'>;
  readonly tool: string;
  /** The call that started it, where it still stands in the window. */
  readonly call: Element | undefined;
  readonly endedBy: Element;
  /** The end's words around the handle, quoted. */
  readonly quote: string;
  readonly status: 'succeeded' | 'failed';
}

export interface WorkFound {
  /** Jobs, sub-agents and monitors that still run as far as the window shows, in order. */
  readonly running: readonly RunningWork[];
  readonly ended: readonly EndedWork[];
}

/** Follows started work through the window; work that an earlier pass knew of may have left it. */
export function findWork(context: WindowContext, effectOf: EffectOf): WorkFound {
  let running: RunningWork[] = [];
  let known = liveHandles(context.input.knownRecords);
  const ended: EndedWork[] = [];
  for (const element of context.input.elements) {
    const news = element.kind === 'result' || (element.kind === 'text' && context.originOf(element).kind === 'machine');
    if (!news || element.rendered !== undefined) continue;
    const own = startedWork(element, context, effectOf);
    if (own !== undefined) known = known.filter(({ id }) => id !== own.handle.id);
    if (running.length + known.length > 0 && speaksOfAnEnd(element.text)) {
      const ends = ({ id }: { readonly id: string }): boolean =>
        id !== own?.handle.id && saysFinished(id, element.text);
      for (const { handle, tool, result } of running.filter((work) => ends(work.handle)))
        ended.push(endOf(handle, tool, context.callOf(result), element));
      for (const handle of known.filter(ends)) ended.push(endOf(handle, handle.tool, undefined, element));
      running = running.filter((work) => !ends(work.handle));
      known = known.filter((handle) => !ends(handle));
    }
    if (own !== undefined) running = [...running.filter(({ handle }) => handle.id !== own.handle.id), own];
  }
  return { running, ended };
}

interface KnownHandle {
  readonly name: string;
  readonly id: string;
  readonly tool: string;
}

const STILL_RUNNING = /^(\S+) of (.+), still running$/su;

/** Label of a handle's record; `liveHandles` reads it back. */
export function runningLabel(name: string, tool: string): string {
  return `${name} of ${tool}, still running`;
}

function liveHandles(records: readonly StoredRecord[]): readonly KnownHandle[] {
  return records.filter(isLive).flatMap(({ kind, label, content }) => {
    const [, name, tool] = STILL_RUNNING.exec(label) ?? [];
    if (kind !== 'handle' || name === undefined || tool === undefined) return [];
    return [{ name, id: content, tool }];
  });
}

function endOf(handle: EndedWork['handle'], tool: string, call: Element | undefined, endedBy: Element): EndedWork {
  const words = wordsAround(handle.id, endedBy.text);
  return {
    handle,
    tool,
    call,
    endedBy,
    quote: quoteStart(words),
    status: saysItFailed(words) ? 'failed' : 'succeeded',
  };
}

function startedWork(element: Element, context: WindowContext, effectOf: EffectOf): RunningWork | undefined {
  const call = context.callOf(element)?.call;
  // A read that lists jobs starts none: it can be asked again.
  if (call === undefined || element.settled !== undefined || isReadOnly(effectOf(call).effect)) return undefined;
  const handle = findRunningHandle(context.shapeOf(element));
  return handle === undefined ? undefined : { result: element, tool: call.tool, handle };
}
