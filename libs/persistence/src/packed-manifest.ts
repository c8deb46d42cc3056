import type { Manifest, ManifestEntry } from '@holdfast/core';
import { packJson, unpackJson } from './packed-json';

/** `[id, digest]`, and what sets it apart from the element's own content where something does. */
type PackedEntry = [id: string, digest: string, change?: Pick<ManifestEntry, 'operation' | 'handle' | 'rendered'>];
type PackedManifest = [pass: number, entries: PackedEntry[]];

/** A manifest for a bytea column. */
export function packManifest(manifest: Manifest): Promise<Uint8Array<ArrayBuffer>> {
  const packed: PackedManifest = [
    manifest.pass,
    manifest.entries.map(({ id, digest, ...change }) =>
      Object.keys(change).length === 0 ? [id, digest] : [id, digest, change],
    ),
  ];
  return packJson(packed);
}

/** The manifest that was packed; undefined of nothing. */
export async function unpackManifest(packed: Uint8Array | null | undefined): Promise<Manifest | undefined> {
  if (packed === null || packed === undefined) return undefined;
  // Written by packManifest and by nobody else.
  const [pass, entries] = (await unpackJson(packed)) as PackedManifest;
  return { pass, entries: entries.map(([id, digest, change]) => ({ id, digest, ...change })) };
}
