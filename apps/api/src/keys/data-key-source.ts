import type { DataKeyRepository } from '../ports/repositories';
import { ApiProblem } from '../problems/api-problem';

/** The tenants' data keys, where this deployment has any. */
export class DataKeySource {
  constructor(private readonly keys: DataKeyRepository | undefined) {}

  /** Throws ENCRYPTION_OFF. */
  demand(): DataKeyRepository {
    if (this.keys === undefined) throw new ApiProblem('ENCRYPTION_OFF');
    return this.keys;
  }
}
