import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { QUEUE_NAMES } from '../job-catalogue';
import type { QueueBackend } from '../queue-backend';
import { QueueDepths } from './queue-depths';
import { RegisteredQueue, type RegisteredQueueOptions } from './registered-queue';

/**
 * Puts every queue of the catalogue into Nest's registry of queues, read only, and gives {@link QueueDepths} over them.
 * Whoever made the backend closes it; that closes these queues too.
 */
@Module({})
export class QueueDepthsModule {
  static of(backend: Pick<QueueBackend, 'createReader'>): DynamicModule {
    // A setting of the whole process, read while registering. No other queue is registered in Nest anywhere.
    BullModule.queueClass = RegisteredQueue;
    const registrations = QUEUE_NAMES.map((name): RegisteredQueueOptions => ({ name, backend }));
    return {
      module: QueueDepthsModule,
      imports: [BullModule.registerQueue(...registrations)],
      providers: [
        {
          provide: QueueDepths,
          inject: QUEUE_NAMES.map((name) => getQueueToken(name)),
          useFactory: (...queues: RegisteredQueue[]) => new QueueDepths(queues),
        },
      ],
      exports: [QueueDepths, BullModule],
    };
  }
}
