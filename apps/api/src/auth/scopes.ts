import type { Scope } from '@holdfast/contracts';
import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const ACCESS_METADATA = 'holdfast:access';

/** What a route asks of a key; a route without it is closed. */
export type Access = 'public' | readonly Scope[];

/** A key needs all of these scopes. */
export const Scopes = (...scopes: readonly [Scope, ...Scope[]]): CustomDecorator =>
  SetMetadata(ACCESS_METADATA, scopes);

/** Open to everybody, without a key. */
export const Public = (): CustomDecorator => SetMetadata(ACCESS_METADATA, 'public');
