import { type ContractPack, sameFor } from './contract-pack';

const SOURCE = 'The source of the reference servers of the Model Context Protocol (modelcontextprotocol/servers)';

export const MCP_FILESYSTEM: ContractPack = {
  name: 'mcp-filesystem',
  version: 1,
  title: 'MCP server: filesystem',
  source: `${SOURCE}, src/filesystem. An edit with dryRun only shows what it would change.`,
  contracts: {
    ...sameFor(
      'read_file read_text_file read_media_file read_multiple_files list_directory list_directory_with_sizes',
      {
        effect: 'read',
      },
    ),
    ...sameFor('directory_tree search_files get_file_info list_allowed_directories', { effect: 'read' }),
    ...sameFor('write_file create_directory', {
      effect: 'converging',
      target: ['$.path'],
      outcome: { failed_when: [{ is_error: true }] },
    }),
    edit_file: {
      effect: 'write',
      read_when: [{ json_path: '$.dryRun', equals: true }],
      target: ['$.path'],
      outcome: { failed_when: [{ is_error: true }], atomic: true },
    },
    move_file: {
      effect: 'write',
      key: ['$.source', '$.destination'],
      target: ['$.source', '$.destination'],
      outcome: { failed_when: [{ is_error: true }] },
    },
  },
};

export const MCP_GIT: ContractPack = {
  name: 'mcp-git',
  version: 1,
  title: 'MCP server: git',
  source: `${SOURCE}, src/git.`,
  contracts: {
    ...sameFor('git_status git_diff_unstaged git_diff_staged git_diff git_log git_show git_branch', {
      effect: 'read',
      volatile: true,
    }),
    git_commit: {
      effect: 'write',
      target: ['$.message'],
      outcome: { failed_when: [{ is_error: true }], atomic: true },
    },
    ...sameFor('git_add git_reset git_init', { effect: 'converging', target: ['$.repo_path'] }),
    ...sameFor('git_create_branch git_checkout', { effect: 'converging', target: ['$.branch_name'] }),
  },
};

export const MCP_FETCH: ContractPack = {
  name: 'mcp-fetch',
  version: 1,
  title: 'MCP server: fetch',
  source: `${SOURCE}, src/fetch. It only sends GET requests; what a site does on one is the site's affair.`,
  contracts: { fetch: { effect: 'read', volatile: true } },
};

export const MCP_MEMORY: ContractPack = {
  name: 'mcp-memory',
  version: 1,
  title: 'MCP server: memory (knowledge graph)',
  source: `${SOURCE}, src/memory. Entities and relations that exist already are left as they are.`,
  contracts: {
    ...sameFor('read_graph search_nodes open_nodes', { effect: 'read', volatile: true }),
    ...sameFor('create_entities create_relations add_observations delete_entities delete_observations', {
      effect: 'converging',
    }),
    delete_relations: { effect: 'converging' },
  },
};

export const MCP_TIME: ContractPack = {
  name: 'mcp-time',
  version: 1,
  title: 'MCP server: time',
  source: `${SOURCE}, src/time.`,
  contracts: { get_current_time: { effect: 'read', volatile: true }, convert_time: { effect: 'pure' } },
};

export const MCP_THINKING: ContractPack = {
  name: 'mcp-sequential-thinking',
  version: 1,
  title: 'MCP server: sequential thinking',
  source: `${SOURCE}, src/sequentialthinking. It keeps the thoughts in its process and answers with their count.`,
  contracts: { sequentialthinking: { effect: 'pure' } },
};

export const MCP_POSTGRES: ContractPack = {
  name: 'mcp-postgres',
  version: 1,
  title: 'MCP server: PostgreSQL (read-only)',
  source: `${SOURCE}, src/postgres (archived). It runs each query in a READ ONLY transaction and rolls it back; other servers of that name may write.`,
  contracts: { query: { effect: 'read', volatile: true } },
};

export const MCP_SQLITE: ContractPack = {
  name: 'mcp-sqlite',
  version: 1,
  title: 'MCP server: SQLite',
  source: `${SOURCE}, src/sqlite (archived). read_query turns away what does not begin with SELECT.`,
  contracts: {
    ...sameFor('read_query list_tables describe_table', { effect: 'read', volatile: true }),
    ...sameFor('write_query create_table', {
      effect: 'write',
      target: ['$.query'],
      outcome: { failed_when: [{ prefix: 'Database error' }, { is_error: true }], atomic: true },
    }),
    append_insight: { effect: 'write', target: ['$.insight'] },
  },
};
