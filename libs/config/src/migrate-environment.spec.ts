import { EnvironmentError } from './environment';
import { readMigrateEnvironment } from './migrate-environment';

const DATABASE_URL = 'postgresql://owner:secret@localhost:5432/holdfast';
const PASSWORD = 'a-long-enough-password';

describe('readMigrateEnvironment', () => {
  it('prepares the usual login when it has a password for it', () => {
    expect(readMigrateEnvironment({ DATABASE_URL, RUNTIME_DATABASE_PASSWORD: PASSWORD })).toEqual({
      ownerDatabaseUrl: DATABASE_URL,
      runtimeLogin: { name: 'holdfast_runtime', password: PASSWORD },
    });
  });

  it('prepares no login without a password, and takes an empty variable for none', () => {
    expect(readMigrateEnvironment({ DATABASE_URL, RUNTIME_DATABASE_PASSWORD: '' }).runtimeLogin).toBeUndefined();
  });

  it('names everything that is wrong, and no value', () => {
    const read = (): unknown =>
      readMigrateEnvironment({ DATABASE_URL: 'mysql://me:hunter2@host/x', RUNTIME_DATABASE_PASSWORD: 'short' });
    expect(read).toThrow(EnvironmentError);
    expect(read).toThrow(/DATABASE_URL is no URL of a PostgreSQL database.*RUNTIME_DATABASE_PASSWORD is shorter/);
    expect(read).not.toThrow(/hunter2/);
  });

  it('says what is missing', () => {
    expect(() => readMigrateEnvironment({})).toThrow('DATABASE_URL is not set');
  });
});
