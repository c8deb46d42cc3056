import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { WorkerModule } from './worker-module';
import { createWorkerParts, type WorkerOptions } from './worker-parts';

export interface RunningWorker {
  /** Drains, gives sessions back and closes everything, within the deadline of the configuration. */
  close(): Promise<void>;
}

/** Starts a worker in this process. Rejects when its ports are taken, or when its queue must not be used. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const app: INestApplicationContext = await NestFactory.createApplicationContext(
    WorkerModule.of(createWorkerParts(options)),
    { logger: false, abortOnError: false },
  );
  return { close: () => app.close() };
}
