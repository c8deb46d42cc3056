#!/usr/bin/env node
// Stands in for Prisma's schema engine, which the CLI would otherwise download: the same engine as WebAssembly,
// behind the JSON-RPC over stdio that the CLI speaks (one message a line).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(new URL('../../libs/persistence/package.json', import.meta.url));

/** Loads the engine by hand: its own entry imports a .wasm file, which Node does only behind a flag. */
async function loadEngine() {
  globalThis.PRISMA_WASM_PANIC_REGISTRY = {
    set_message: (message) => {
      throw new Error(`the engine panicked: ${message}`);
    },
  };
  const entry = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const glue = await import(entry);
  const module = new WebAssembly.Module(readFileSync(entry.replace(/\.js$/, '.wasm')));
  const { exports } = new WebAssembly.Instance(module, { './schema_engine_bg.js': glue });
  glue.__wbg_set_wasm(exports);
  exports.__wbindgen_start();
  return glue.SchemaEngine;
}

function readArguments(argv) {
  const datamodels = [];
  let datasource = {};
  const words = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at];
    if (word === '--datamodels') datamodels.push(argv[(at += 1)]);
    else if (word === '--datasource') datasource = JSON.parse(argv[(at += 1)]);
    else if (word.startsWith('--')) at += 1;
    else words.push(word);
  }
  return { datamodels, url: datasource.url, command: words.join(' ') };
}

/** Host, port, user and so on one by one: with a connection string the shadow database would be the real one. */
function poolConfig(url) {
  const parts = new URL(url);
  return {
    host: decodeURIComponent(parts.hostname),
    port: Number(parts.port || 5432),
    user: decodeURIComponent(parts.username),
    password: decodeURIComponent(parts.password),
    database: decodeURIComponent(parts.pathname.slice(1)),
    ...(parts.searchParams.get('sslmode') === 'require' ? { ssl: true } : {}),
  };
}

const OID_CHAR = 18;
const OID_TEXT = 25;
/** `ColumnTypeEnum.Character` of the driver adapters. */
const TYPE_CHARACTER = 6;

/** Which columns of a result are `"char"`, by its rows. */
const charColumns = new WeakMap();

/** The catalogue has columns of type `"char"`, which the adapter does not know: read as text, and noted. */
function noteCharColumns(client) {
  const query = client.query.bind(client);
  client.query = async (...request) => {
    if (typeof request.at(-1) === 'function') return query(...request);
    const result = await query(...request);
    if (Array.isArray(result?.fields)) {
      charColumns.set(
        result.rows,
        result.fields.map((field) => field.dataTypeID === OID_CHAR),
      );
      for (const field of result.fields) if (field.dataTypeID === OID_CHAR) field.dataTypeID = OID_TEXT;
    }
    return result;
  };
  return client;
}

async function openAdapter({ pg, PrismaPg }, config, onDispose = async () => {}) {
  const pool = noteCharColumns(new pg.Pool({ ...config, max: 4 }));
  const connect = pool.connect.bind(pool);
  // With a callback it is the pool itself that asks, for `pool.query` above.
  pool.connect = async (callback) => {
    if (callback !== undefined) return connect(callback);
    const client = await connect();
    return Object.hasOwn(client, 'query') ? client : noteCharColumns(client);
  };
  const adapter = await new PrismaPg(pool).connect();
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const set = await queryRaw(query);
    const isChar = charColumns.get(set.rows) ?? [];
    return { ...set, columnTypes: set.columnTypes.map((type, at) => (isChar[at] ? TYPE_CHARACTER : type)) };
  };
  const onError = adapter.onError.bind(adapter);
  // Whole, since the adapter would split a script at each `;`, also inside of `DO $$ ... $$`.
  adapter.executeScript = async (script) => {
    const client = await connect();
    await client
      .query(script)
      .catch(onError)
      .finally(() => client.release());
  };
  adapter.dispose = async () => {
    await pool.end();
    await onDispose();
  };
  return adapter;
}

function adapterFactory(drivers, url) {
  const config = poolConfig(url);
  return {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => openAdapter(drivers, config),
    async connectToShadowDb() {
      const database = `prisma_migrate_shadow_db_${globalThis.crypto.randomUUID()}`;
      const runAlone = async (statement) => {
        const client = new drivers.pg.Client(config);
        await client.connect();
        await client.query(statement).finally(() => client.end());
      };
      await runAlone(`CREATE DATABASE "${database}"`);
      return openAdapter(drivers, { ...config, database }, () => runAlone(`DROP DATABASE "${database}" WITH (FORCE)`));
    },
  };
}

async function serve({ datamodels, url }) {
  const { bindMigrationAwareSqlAdapterFactory } = require('@prisma/driver-adapter-utils');
  const drivers = { pg: require('pg'), PrismaPg: require('@prisma/adapter-pg').PrismaPg };
  const SchemaEngine = await loadEngine();
  const adapter = bindMigrationAwareSqlAdapterFactory(
    adapterFactory(drivers, url ?? 'postgresql://nobody@127.0.0.1:1/none'),
  );
  const files = datamodels.map((path) => [path, readFileSync(path, 'utf8')]);
  const engine = await SchemaEngine.new({ datamodels: files.length > 0 ? files : undefined }, () => {}, adapter);
  const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  let printed = 0;
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    if (method === undefined) continue;
    try {
      const answer = (await engine[method === 'getDatabaseVersion' ? 'version' : method](params)) ?? {};
      if (method === 'diff' && answer.stdout != null) {
        send({ id: `print-${(printed += 1)}`, method: 'print', params: { content: answer.stdout } });
      }
      send({ id, result: method === 'diff' ? { exitCode: answer.exitCode, stdout: null } : answer });
    } catch (error) {
      const message = error?.message ?? String(error);
      send({ id, error: { code: 4466, message, data: { is_panic: false, message, error_code: error?.code ?? null } } });
    }
  }
}

async function answerCommand(command, url) {
  const { Client } = require('pg');
  const wanted = poolConfig(url);
  const creates = command === 'cli create-database';
  const client = new Client({ ...wanted, database: creates ? 'postgres' : wanted.database });
  await client.connect();
  if (creates) await client.query(`CREATE DATABASE ${client.escapeIdentifier(wanted.database)}`);
  await client.end();
}

const options = readArguments(process.argv.slice(2));
if (options.command === '') await serve(options);
else {
  await answerCommand(options.command, options.url).catch((error) => {
    const error_code = error.code === '3D000' ? 'P1003' : 'P1001';
    const fields = { error_code, message: error.message };
    process.stderr.write(`\n${JSON.stringify({ level: 'ERROR', target: 'schema_engine::logger', fields })}`);
    process.exitCode = 1;
  });
}
