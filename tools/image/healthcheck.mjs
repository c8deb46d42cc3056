// node healthcheck.mjs URL: exits with 0 when the URL answers with a 2xx status within its time, with 1 otherwise.
const TIMEOUT_MS = 4_000;

const [url] = process.argv.slice(2);
try {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) console.error(`${url} answers ${response.status}: ${(await response.text()).slice(0, 500)}`);
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.error(`${url} does not answer: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
