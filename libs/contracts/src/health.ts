import { z } from 'zod';

export const livenessSchema = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Liveness' });

export const readinessSchema = z
  .strictObject({
    status: z.enum(['ready', 'not_ready']),
    checks: z.strictObject({
      postgres: z.enum(['ok', 'unreachable']),
      migrations: z.enum(['current', 'pending', 'unknown']),
      queue: z.enum(['ok', 'unreachable', 'unknown']).meta({ description: 'Told, and never a reason to be unready.' }),
    }),
  })
  .meta({ id: 'Readiness' });
export type Readiness = z.infer<typeof readinessSchema>;
