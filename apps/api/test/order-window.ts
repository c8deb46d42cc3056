/** A chat in which an agent reads orders and cancels one: much to reclaim, one effect to keep. */
export function orderWindow(orders: number): string {
  const messages: unknown[] = [
    { role: 'system', content: 'You are a support agent. Never refund without asking.' },
    { role: 'user', content: 'Find my broken order and cancel it. My name is \u0000 Zoé \ud83d\ude00.' },
  ];
  for (let n = 1; n <= orders; n += 1) {
    messages.push(call(`c${n}`, 'get_order', { order_id: `W${1_000 + n}` }), {
      role: 'tool',
      tool_call_id: `c${n}`,
      content: orderText(n),
    });
  }
  messages.push(
    call('cx', 'cancel_order', { order_id: 'W1003' }),
    { role: 'tool', tool_call_id: 'cx', content: '{"status":"cancelled","refund_id":"RF-77120"}' },
    { role: 'assistant', content: 'Order W1003 is cancelled.' },
    { role: 'user', content: 'Thank you. And which one arrives next?' },
  );
  return JSON.stringify(messages);
}

export const ORDER_CONTRACTS = {
  get_order: { effect: 'read' },
  cancel_order: {
    effect: 'write',
    key: ['$.order_id'],
    target: ['$.order_id'],
    outcome: { succeeded_when: [{ contains: 'cancelled' }] },
  },
};

/** What UTF-8 has no bytes for and text columns refuse, in the result of one order. */
export const ODD_TEXT = 'note: \u0000 and half a pair \ud800.';
const ODD_ORDER = 5;

/** The result of one read, as the tool gave it. */
export function orderText(n: number): string {
  const items = Array.from({ length: 12 }, (_, item) => ({
    sku: `SKU-${n}-${item}`,
    name: `Part number ${item} of order ${n}, in its usual colour and size`,
    price: 10 + item / 4,
  }));
  const order = JSON.stringify({ order_id: `W${1_000 + n}`, status: 'delivered', items }, null, 1);
  return n === ODD_ORDER ? `${order}\n${ODD_TEXT}` : order;
}

function call(id: string, name: string, args: unknown): unknown {
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  };
}
