import { createLogger, withIds } from './logger';

function logging(level = 'info'): { logger: ReturnType<typeof createLogger>; lines: () => Record<string, unknown>[] } {
  const written: string[] = [];
  const logger = createLogger({
    service: 'worker',
    version: '0.1.0',
    level,
    destination: { write: (line) => void written.push(line) },
  });
  return { logger, lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('logger', () => {
  it('writes one JSON object a line, with its ids', () => {
    const { logger, lines } = logging();
    withIds(logger, { tenant_id: 't1', compaction_id: 'c1' }).info({ phase: 'secure' }, 'phase done');
    expect(lines()).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        service: 'worker',
        version: '0.1.0',
        tenant_id: 't1',
        compaction_id: 'c1',
        phase: 'secure',
        msg: 'phase done',
      },
    ]);
  });

  it.each(['authorization', 'cookie', 'set-cookie', 'password', 'secret', 'content', 'value', 'token', 'pepper'])(
    'never writes %s, however deep it stands',
    (field) => {
      const { logger, lines } = logging('trace');
      let nested: unknown = { [field]: 'hunter2', id: 'kept' };
      for (const name of ['headers', 'req', 'of', 'call']) {
        logger.info(nested as object);
        nested = { [name]: nested };
      }
      logger.info(nested as object);
      expect(lines()).toHaveLength(5);
      for (const line of lines()) {
        expect(JSON.stringify(line)).not.toContain('hunter2');
        expect(JSON.stringify(line)).toContain('kept');
      }
    },
  );

  it('writes of an error its code, and neither the parameters nor the password of a driver', () => {
    const { logger, lines } = logging();
    const error = Object.assign(new Error('cannot reach postgresql://me:hunter2@db:5432/holdfast'), {
      code: 'ECONNREFUSED',
      parameters: ['the whole window'],
    });
    logger.error({ err: error }, 'no database');
    expect(lines()[0]).toMatchObject({ err: { code: 'ECONNREFUSED', message: expect.stringContaining('db:5432') } });
    expect(JSON.stringify(lines())).not.toMatch(/hunter2|the whole window/);
  });

  it('masks secrets in messages, fields and errors', () => {
    const { logger, lines } = logging();
    const key = ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_');
    logger.error({ err: new Error(`401 for Bearer ${key}`), detail: `api_key=${key}`, id: 'kept' }, `refused ${key}`);
    logger.info(`password=hunter2 of job ${key}`);
    expect(lines()[0]).toMatchObject({ msg: 'refused [secret stripe_key]', id: 'kept' });
    expect(JSON.stringify(lines())).not.toContain(key);
  });

  it('leaves out what is below its level', () => {
    const { logger, lines } = logging('warn');
    logger.info('quiet');
    expect(lines()).toEqual([]);
  });
});
