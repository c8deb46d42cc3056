'use strict';

const ranksOf = {
  o200k_base: () => require('gpt-tokenizer/bpeRanks/o200k_base').default,
  cl100k_base: () => require('gpt-tokenizer/bpeRanks/cl100k_base').default,
};
const splitPatternOf = {
  o200k_base: () => require('gpt-tokenizer/encodingParams/constants').O200K_TOKEN_SPLIT_REGEX,
  cl100k_base: () => require('gpt-tokenizer/encodingParams/constants').CL100K_TOKEN_SPLIT_REGEX,
};

/** Bytes up to which scanning all pairs for the lowest rank beats keeping them in a heap. */
const SCAN_LIMIT_BYTES = 96;
/** UTF-16 units up to which the count of a piece is remembered; longer ones hardly ever come again. */
const REMEMBERED_PIECE_UNITS = 64;
/** Pieces remembered at once, per encoding: a few MB. */
const REMEMBERED_PIECES = 50_000;
/** Rank and position share one double: positions stay below 2^32, ranks below 2^18. */
const POSITION_SPAN = 2 ** 32;
const NO_RANK = 0x7fffffff;

/** The bytes of `text` in UTF-8, one character per byte; a lone surrogate becomes U+FFFD as in every UTF-8 encoder. */
function utf8Binary(text) {
  return Buffer.from(text, 'utf8').latin1Slice();
}

/**
 * Counts tokens of one byte-pair encoding, exactly as the encoder of the model does, with the vocabulary and the split
 * pattern of gpt-tokenizer. gpt-tokenizer's own merge scans all pairs once per merge, so that a run of n letters or
 * blanks costs n * n steps (64 kB of one letter: over a minute); here long pieces are merged through a heap, n * log n.
 *
 * Marks such as `<|endoftext|>` are ordinary text: providers encode message content that way, and nothing ever throws.
 */
function createBpeCounter(encoding) {
  const loadRanks = ranksOf[encoding];
  if (loadRanks === undefined) throw new Error(`no such encoding: ${encoding}`);
  const splitPattern = splitPatternOf[encoding]();
  const wholePieces = new Set();
  const rankByBytes = new Map();
  loadRanks().forEach((token, rank) => {
    if (typeof token === 'string') {
      wholePieces.add(token);
      rankByBytes.set(isAscii(token) ? token : utf8Binary(token), rank);
    } else {
      rankByBytes.set(String.fromCharCode(...token), rank);
    }
  });
  const remembered = new Map();

  function rankOf(bytes, start, end) {
    return rankByBytes.get(bytes.substring(start, end)) ?? NO_RANK;
  }

  function countByScan(bytes) {
    const starts = [];
    const ranks = [];
    for (let index = 0; index < bytes.length; index++) {
      starts.push(index);
      ranks.push(index + 1 < bytes.length ? rankOf(bytes, index, index + 2) : NO_RANK);
    }
    starts.push(bytes.length);
    for (;;) {
      let lowest = NO_RANK;
      let at = -1;
      for (let index = 0; index < ranks.length; index++) {
        if (ranks[index] < lowest) {
          lowest = ranks[index];
          at = index;
        }
      }
      if (at < 0) return ranks.length;
      starts.splice(at + 1, 1);
      ranks.splice(at + 1, 1);
      ranks[at] = at + 2 < starts.length ? rankOf(bytes, starts[at], starts[at + 2]) : NO_RANK;
      if (at > 0) ranks[at - 1] = rankOf(bytes, starts[at - 1], starts[at + 1]);
    }
  }

  function countByHeap(bytes) {
    const length = bytes.length;
    const next = new Int32Array(length + 1);
    const previous = new Int32Array(length + 1);
    const pairRanks = new Int32Array(length + 1).fill(NO_RANK);
    const heap = createKeyHeap(3 * length);
    for (let index = 0; index < length; index++) {
      next[index] = index + 1;
      previous[index] = index - 1;
    }
    // A heap entry is stale once the pair at its position has another rank; it is dropped when it surfaces.
    const price = (start) => {
      const middle = next[start];
      const rank = middle < length ? rankOf(bytes, start, next[middle]) : NO_RANK;
      pairRanks[start] = rank;
      if (rank !== NO_RANK) heap.push(rank * POSITION_SPAN + start);
    };
    for (let index = 0; index + 1 < length; index++) price(index);
    let tokens = length;
    while (heap.size() > 0) {
      const key = heap.pop();
      const rank = Math.floor(key / POSITION_SPAN);
      const start = key - rank * POSITION_SPAN;
      if (pairRanks[start] !== rank) continue;
      const absorbed = next[start];
      next[start] = next[absorbed];
      if (next[start] < length) previous[next[start]] = start;
      pairRanks[absorbed] = NO_RANK;
      tokens--;
      price(start);
      if (previous[start] >= 0) price(previous[start]);
    }
    return tokens;
  }

  function countPiece(piece) {
    const memorable = piece.length <= REMEMBERED_PIECE_UNITS;
    const known = memorable ? remembered.get(piece) : undefined;
    if (known !== undefined) return known;
    const bytes = utf8Binary(piece);
    const tokens = bytes.length <= SCAN_LIMIT_BYTES ? countByScan(bytes) : countByHeap(bytes);
    if (memorable) {
      if (remembered.size >= REMEMBERED_PIECES) remembered.clear();
      remembered.set(piece, tokens);
    }
    return tokens;
  }

  return {
    /** Tokens of `text`. The caller bounds its length (the split keeps all pieces of a text at once). */
    count(text) {
      const pieces = text.match(splitPattern);
      if (pieces === null) return 0;
      let tokens = 0;
      for (const piece of pieces) tokens += wholePieces.has(piece) ? 1 : countPiece(piece);
      return tokens;
    },
  };
}

function isAscii(text) {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

/** A binary heap of doubles, smallest first, in one typed array that never grows. */
function createKeyHeap(capacity) {
  const keys = new Float64Array(capacity + 1);
  let size = 0;
  return {
    size: () => size,
    push(key) {
      let index = size++;
      while (index > 0) {
        const parent = (index - 1) >> 1;
        if (keys[parent] <= key) break;
        keys[index] = keys[parent];
        index = parent;
      }
      keys[index] = key;
    },
    pop() {
      const smallest = keys[0];
      const last = keys[--size];
      let index = 0;
      for (;;) {
        let child = 2 * index + 1;
        if (child >= size) break;
        if (child + 1 < size && keys[child + 1] < keys[child]) child++;
        if (keys[child] >= last) break;
        keys[index] = keys[child];
        index = child;
      }
      keys[index] = last;
      return smallest;
    },
  };
}

module.exports = { createBpeCounter };
