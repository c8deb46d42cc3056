import { createHash } from 'node:crypto';
import { PROBLEM_KINDS, ROUTES, type Route } from '@holdfast/contracts';

const STYLE = `
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem;color:#1b1f24;background:#fff}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem;text-transform:capitalize}
section{border-top:1px solid #d0d7de;padding:.75rem 0}
code,pre{font:14px/1.45 ui-monospace,monospace}pre{overflow:auto;background:#f6f8fa;padding:.75rem}
.m{display:inline-block;min-width:4rem;font-weight:700}table{border-collapse:collapse}td,th{text-align:left;padding:.2rem .75rem .2rem 0;vertical-align:top}
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}pre{background:#161b22}section{border-color:#30363d}a{color:#58a6ff}}
`;

/** Only this style may be applied; the page has no script and loads nothing. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

type Schemas = Readonly<Record<string, unknown>>;

/** The OpenAPI document as a page to read: one file, no script. */
export function docsPage(document: Readonly<Record<string, unknown>>): string {
  const tags = [...new Set(ROUTES.map(({ tag }) => tag))];
  const { schemas } = document['components'] as { readonly schemas: Schemas };
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Holdfast API</title><style>${STYLE}</style></head>
<body><h1>Holdfast API</h1>
<p>The machine-readable document is <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1). Send <code>Authorization: Bearer hf_live_…</code>.</p>
${tags
  .map(
    (tag) =>
      `<h2>${escape(tag)}</h2>\n${ROUTES.filter((route) => route.tag === tag)
        .map((route) => section(route, paths))
        .join('\n')}`,
  )
  .join('\n')}
<h2>Problems</h2><table><tr><th>Code</th><th>Status</th><th>Meaning</th><th>Remedy</th></tr>
${Object.entries(PROBLEM_KINDS)
  .map(
    ([code, kind]) =>
      `<tr><td><code>${code}</code></td><td>${kind.status}</td><td>${escape(kind.title)}</td><td>${escape(kind.remedy)}</td></tr>`,
  )
  .join('\n')}
</table>
<h2>Schemas</h2>
${Object.entries(schemas)
  .map(
    ([name, schema]) =>
      `<details id="${escape(name)}"><summary><code>${escape(name)}</code></summary><pre>${escape(JSON.stringify(schema, null, 2))}</pre></details>`,
  )
  .join('\n')}
</body></html>
`;
}

function section(route: Route, paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>): string {
  const access = route.access === 'public' ? 'no key' : route.access.join(', ');
  const operation = JSON.stringify(paths[route.path]?.[route.method] ?? {}, null, 2);
  return `<section><span class="m">${route.method.toUpperCase()}</span> <code>${escape(route.path)}</code><br>${escape(route.summary)}<br><small>${escape(access)}</small>
<details><summary>Details</summary><pre>${escape(operation)}</pre></details></section>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
