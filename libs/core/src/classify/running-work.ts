import type { Element } from '../window/element';
import { isReadOnly, type EffectOf } from './call-effect';
import { findRunningHandle, saysFinished, speaksOfAnEnd, type RunningHandle } from './running-handle';
import type { WindowContext } from './window-context';

/** A result that names work which no later text says has ended. */
export interface RunningWork {
  readonly result: Element;
  readonly tool: string;
  readonly handle: RunningHandle;
}

/** Jobs, sub-agents and monitors that still run as far as the window shows, in order. */
export function findRunningWork(context: WindowContext, effectOf: EffectOf): readonly RunningWork[] {
  let open: RunningWork[] = [];
  for (const element of context.input.elements) {
    const news = element.kind === 'result' || (element.kind === 'text' && context.originOf(element).kind === 'machine');
    if (!news || element.rendered !== undefined) continue;
    const own = startedWork(element, context, effectOf);
    if (open.length > 0 && speaksOfAnEnd(element.text))
      open = open.filter(({ handle }) => handle.id === own?.handle.id || !saysFinished(handle, element.text));
    if (own !== undefined) open = [...open.filter(({ handle }) => handle.id !== own.handle.id), own];
  }
  return open;
}

function startedWork(element: Element, context: WindowContext, effectOf: EffectOf): RunningWork | undefined {
  const call = context.callOf(element)?.call;
  // A read that lists jobs starts none: it can be asked again.
  if (call === undefined || element.settled !== undefined || isReadOnly(effectOf(call).effect)) return undefined;
  const handle = findRunningHandle(context.shapeOf(element));
  return handle === undefined ? undefined : { result: element, tool: call.tool, handle };
}
