'use strict';

// Plain CommonJS on purpose: a thread starts from a file that Node can load as it is, from dist and from source alike.
const { parentPort, threadId } = require('node:worker_threads');
const { createBpeCounter } = require('./bpe-counter.cjs');
const { scriptAllowanceHundredths } = require('./script-allowance.cjs');

if (parentPort === null) throw new Error('count-worker runs in a worker thread only');
const port = parentPort;
const counters = new Map();

port.on('message', ({ encoding, parts }) => {
  try {
    let counter = counters.get(encoding);
    if (counter === undefined) {
      counter = createBpeCounter(encoding);
      counters.set(encoding, counter);
    }
    const counts = parts.map((part) => ({
      tokens: counter.count(part),
      allowanceHundredths: scriptAllowanceHundredths(part),
    }));
    port.postMessage({ counts, threadId });
  } catch (error) {
    port.postMessage({ failure: error instanceof Error ? error.message : String(error), threadId });
  }
});
