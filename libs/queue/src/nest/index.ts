export { type QueueLook, QueueDepths } from './queue-depths';
export { QueueDepthsModule } from './queue-depths-module';
export { RegisteredQueue } from './registered-queue';
