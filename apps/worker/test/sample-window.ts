import type { ToolContracts } from '@holdfast/core';

export const CONTRACTS: ToolContracts = {
  get_order: { effect: 'read' },
  cancel_order: { effect: 'write', key: ['$.order_id'], target: ['$.order_id'] },
};

/**
 * A support conversation in OpenAI's format: rules, many reads of orders, some writes, talk in between. About 1,400
 * bytes a round; deterministic.
 */
export function sampleWindow(rounds: number, itemsPerOrder = 6): string {
  const messages: unknown[] = [
    { role: 'system', content: 'You are a support agent. Never refund more than 500 EUR without approval.' },
    { role: 'user', content: 'Please look through my orders. Only cancel those that I name, and never order W0007.' },
  ];
  for (let round = 1; round <= rounds; round += 1) {
    const order = `W${String(round).padStart(4, '0')}`;
    const items = Array.from({ length: itemsPerOrder }, (_, at) => ({
      item_id: `${round}${at}8812`,
      name: `Article ${at} of ${order}`,
      price: 19.99 + at,
      options: { color: 'blue', size: 'L', material: 'cotton' },
    }));
    call(messages, round * 2, 'get_order', { order_id: order }, { order_id: order, status: 'pending', items });
    messages.push({
      role: 'assistant',
      content: `Order ${order} has ${items.length} articles and is still pending. ${FILLER}`,
    });
    if (round % 10 === 5) {
      messages.push({ role: 'user', content: `Please cancel order ${order}.` });
      call(messages, round * 2 + 1, 'cancel_order', { order_id: order }, { order_id: order, status: 'cancelled' });
      messages.push({ role: 'assistant', content: `Order ${order} is cancelled.` });
    }
  }
  messages.push({ role: 'user', content: 'Thank you. What is the total of order W0002?' });
  return JSON.stringify(messages);
}

const FILLER =
  'I looked at the list of articles and at the address, and nothing about it seems to be out of order. '.repeat(3);

function call(messages: unknown[], id: number, name: string, args: unknown, result: unknown): void {
  const function_ = { name, arguments: JSON.stringify(args) };
  messages.push({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: `call_${id}`, type: 'function', function: function_ }],
  });
  messages.push({ role: 'tool', tool_call_id: `call_${id}`, content: JSON.stringify(result) });
}
