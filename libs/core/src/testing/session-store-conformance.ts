import { sha256Hex } from '../digest';
import type { EffectDraft, RecordDraft, SecureBatch, SegmentDraft, SessionStore } from '../ports';
import { codeOf, demand, demandEqual, type ConformanceCase } from './conformance-case';

/** Texts that a careless store loses: NUL, half a surrogate pair, what looks like an escape, big ones. */
const HARD_TEXTS = ['\u0000 a NUL', 'half \ud83d pair', '\\u0000', 'ünï — 数据 👍', 'x'.repeat(300_000), ''];

function record(text: string, over: Partial<RecordDraft> = {}): RecordDraft {
  return {
    elementId: 'e1',
    kind: 'constraint',
    digest: sha256Hex(text),
    content: text,
    label: '',
    trust: 'human',
    ...over,
  };
}

function effect(occurrence: string, over: Partial<EffectDraft> = {}): EffectDraft {
  return {
    occurrence,
    action: 'send',
    target: 'user@example.test',
    kind: 'write',
    idempotencyKey: undefined,
    keySource: 'none',
    argumentsDigest: sha256Hex('{}'),
    status: 'fired',
    statusRaw: undefined,
    evidence: '',
    kept: [],
    ...over,
  };
}

function batch(plan: string, over: Partial<SecureBatch> = {}): SecureBatch {
  return {
    originals: [],
    handles: [],
    records: [],
    effects: [],
    accepted: { pass: 0, entries: [{ id: 'e1', digest: sha256Hex('e1') }] },
    nextElement: 2,
    planDigest: sha256Hex(plan),
    ...over,
  };
}

function archived(text: string, handle: string): Pick<SecureBatch, 'originals' | 'handles'> {
  const sha256 = sha256Hex(text);
  return {
    originals: [{ sha256, text }],
    handles: [{ handle, sha256, elementId: 'e1', label: 'read file', tokens: 3 }],
  };
}

function segment(over: Partial<SegmentDraft> = {}): SegmentDraft {
  return {
    id: 's_1',
    elementIds: ['e1'],
    text: 'shortened',
    handle: 'h_abcdef',
    summarizer: 'extractive/1',
    inputDigest: sha256Hex('input'),
    ...over,
  };
}

/** What every session store promises. The subject is the store of a session that nothing was written to yet. */
export const sessionStoreConformance: readonly ConformanceCase<SessionStore>[] = [
  {
    name: 'a new session is empty and counts from one',
    async run(store) {
      const { nextElement, passes, records, effects, accepted, handedOut, receiptHead } = await store.load();
      demandEqual(
        { nextElement, passes, records, effects },
        { nextElement: 1, passes: 0, records: [], effects: [] },
        'empty',
      );
      demand(accepted === undefined && handedOut === undefined && receiptHead === undefined, 'nothing handed out yet');
    },
  },
  {
    name: 'an original comes back byte for byte, NUL and half a surrogate pair included',
    async run(store) {
      for (const [index, text] of HARD_TEXTS.entries()) {
        const handle = `h_hard0${index}`;
        const receipt = await store.secure(batch(`hard ${index}`, archived(text, handle)));
        demandEqual(receipt.originals, [sha256Hex(text)], 'the digest is that of what was read back');
        demandEqual((await store.findOriginal(handle))?.text, text, `original ${index}`);
      }
    },
  },
  {
    name: 'a record comes back byte for byte',
    async run(store) {
      const texts = HARD_TEXTS.filter((text) => text !== '');
      await store.secure(batch('records', { records: texts.map((text) => record(text)) }));
      const { records } = await store.load();
      demandEqual(
        records.map(({ content }) => content),
        texts,
        'records in the order written',
      );
      demandEqual(
        records.map(({ ref }) => ref),
        texts.map((_, index) => `R${index + 1}`),
        'numbered per session',
      );
    },
  },
  {
    name: 'writing a batch again changes nothing',
    async run(store) {
      const once = batch('again', {
        ...archived('content', 'h_again00'),
        records: [record('never touch prod')],
        effects: [effect('e1')],
      });
      const first = await store.secure(once);
      const stateAfterFirst = await store.load();
      demandEqual(await store.secure(once), first, 'the receipt is the same');
      demandEqual(await store.load(), stateAfterFirst, 'the session is the same');
    },
  },
  {
    name: 'two equal calls are two effects, one occurrence is one',
    async run(store) {
      await store.secure(batch('effects', { effects: [effect('e1'), effect('e2')] }));
      await store.secure(batch('effects later', { effects: [effect('e1'), effect('e2'), effect('e3')] }));
      const { effects } = await store.load();
      demandEqual(
        effects.map(({ ref }) => ref),
        ['E1', 'E2', 'E3'],
        'numbered in order of appearance',
      );
    },
  },
  {
    name: 'a status moves on and never back',
    async run(store) {
      await store.secure(batch('fired', { effects: [effect('e1')] }));
      await store.secure(batch('done', { effects: [effect('e1', { status: 'succeeded', evidence: 'ok' })] }));
      await store.secure(batch('stale', { effects: [effect('e1', { status: 'fired' })] }));
      demandEqual((await store.load()).effects[0]?.status, 'succeeded', 'a closed effect stays closed');
    },
  },
  {
    name: 'a record is superseded, never edited',
    async run(store) {
      await store.secure(batch('old', { records: [record('deploy to prod')] }));
      const newer = record('deploy to staging', { elementId: 'e2', supersedes: sha256Hex('deploy to prod') });
      await store.secure(batch('new', { records: [newer] }));
      const { records } = await store.load();
      demandEqual(
        records.map(({ content, supersededBy }) => [content, supersededBy ?? null]),
        [
          ['deploy to prod', 'R2'],
          ['deploy to staging', null],
        ],
        'both stay, the older points at the newer',
      );
    },
  },
  {
    name: 'a handle stands for one original for ever',
    async run(store) {
      await store.secure(batch('one', archived('one', 'h_taken00')));
      const code = await codeOf(() => store.secure(batch('two', archived('two', 'h_taken00'))));
      demandEqual(code, 'STORE_CONFLICT', 'another original behind the same handle is refused');
      demandEqual((await store.findOriginal('h_taken00'))?.text, 'one', 'the first one stays');
    },
  },
  {
    name: 'a batch that is refused leaves nothing behind',
    async run(store) {
      await store.secure(batch('one', archived('one', 'h_taken00')));
      const mixed = batch('mixed', {
        ...archived('two', 'h_taken00'),
        records: [record('half a write')],
        effects: [effect('e9')],
      });
      await codeOf(() => store.secure(mixed));
      const { records, effects } = await store.load();
      demandEqual([records.length, effects.length], [0, 0], 'all or nothing');
      demand((await store.findSecured(mixed)) === undefined, 'a refused plan was never secured');
    },
  },
  {
    name: 'a text that does not have its digest is refused',
    async run(store) {
      const wrong = batch('wrong', { originals: [{ sha256: sha256Hex('one'), text: 'two' }] });
      demandEqual(await codeOf(() => store.secure(wrong)), 'STORE_CONFLICT', 'the archive is addressed by content');
    },
  },
  {
    name: 'finds what was secured, and nothing else',
    async run(store) {
      const done = batch('done', archived('content', 'h_found00'));
      const receipt = await store.secure(done);
      demandEqual(await store.findSecured(done), receipt, 'read back anew');
      demand((await store.findSecured(batch('other'))) === undefined, 'another plan was never secured');
      demand((await store.findOriginal('h_nobody0')) === undefined, 'an unknown handle has no original');
      const resolved = await store.resolveHandles(['h_found00', 'h_nobody0']);
      demandEqual([...resolved], [['h_found00', sha256Hex('content')]], 'only known handles resolve');
    },
  },
  {
    name: 'the accepted window is what the next one is aligned with',
    async run(store) {
      const accepted = {
        pass: 0,
        entries: [
          { id: 'e1', digest: sha256Hex('e1') },
          { id: 'e2', digest: sha256Hex('e2'), operation: 'evict' as const, handle: 'h_evicted' },
        ],
      };
      await store.secure(batch('accepted', { accepted, nextElement: 3 }));
      const state = await store.load();
      demandEqual(state.accepted, accepted, 'manifest as written');
      demandEqual(state.nextElement, 3, 'new elements are numbered behind it');
      demandEqual(
        state.history?.entries.map(({ id }) => id),
        ['e1'],
        'history holds what was seen with its own content',
      );
    },
  },
  {
    name: 'a segment is made once',
    async run(store) {
      await store.recordSegment(segment());
      await store.recordSegment(segment());
      demandEqual(await store.findSegment(sha256Hex('input')), segment(), 'found by what went in');
      demandEqual(
        await codeOf(() => store.recordSegment(segment({ text: 'other' }))),
        'STORE_CONFLICT',
        'never replaced',
      );
      demandEqual((await store.load()).segments, [{ id: 's_1', elementIds: ['e1'] }], 'one segment');
      demand((await store.findSegment(sha256Hex('nothing'))) === undefined, 'others are not there');
    },
  },
];
