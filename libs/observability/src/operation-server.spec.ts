import { type ListeningServer, startOperationServer } from './operation-server';

describe('operation server', () => {
  let server: ListeningServer;
  const ask = async (path: string, method = 'GET'): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
    return `${response.status} ${response.headers.get('content-type') ?? 'none'} ${await response.text()}`;
  };

  beforeAll(async () => {
    server = await startOperationServer(
      {
        '/metrics': async () => ({ status: 200, contentType: 'text/plain', body: 'up 1' }),
        '/readyz': async () => ({ status: 503, contentType: 'application/json', body: '{}' }),
        '/broken': () => Promise.reject(new Error('secret')),
      },
      '127.0.0.1',
      0,
    );
  });
  afterAll(() => server.close());

  it('answers its pages, whatever the query', async () => {
    expect(await ask('/metrics')).toBe('200 text/plain up 1');
    expect(await ask('/metrics?name=up')).toBe('200 text/plain up 1');
    expect(await ask('/readyz')).toBe('503 application/json {}');
  });

  it('knows no other path and no other method', async () => {
    expect(await ask('/')).toBe('404 none ');
    expect(await ask('/metrics', 'POST')).toBe('404 none ');
    expect(await ask('/constructor')).toBe('404 none ');
  });

  it('says nothing about why a page failed', async () => {
    expect(await ask('/broken')).toBe('500 none ');
  });

  it('rejects when the port is taken', async () => {
    await expect(startOperationServer({}, '127.0.0.1', server.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
