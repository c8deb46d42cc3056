import { type ContractPack, sameFor } from './contract-pack';

const REPOSITORY = ['$.owner', '$.repo'];

export const MCP_GITHUB: ContractPack = {
  name: 'mcp-github',
  version: 1,
  title: 'MCP server: GitHub',
  source:
    'The tool list of github/github-mcp-server, and of the reference server before it. Answers change with the ' +
    'repository. Merging, commenting and starting workflows cannot be taken back.',
  contracts: {
    ...sameFor(
      'get_me get_teams get_team_members get_commit get_file_contents get_latest_release get_release_by_tag get_tag ' +
        'get_repository_tree list_branches list_commits list_releases list_tags list_starred_repositories search_code ' +
        'search_repositories search_issues search_pull_requests search_users search_orgs issue_read get_issue ' +
        'get_issue_comments list_issues list_issue_types list_sub_issues get_label list_label pull_request_read ' +
        'get_pull_request get_pull_request_diff get_pull_request_files get_pull_request_status get_pull_request_comments ' +
        'get_pull_request_reviews list_pull_requests actions_get actions_list list_workflows list_workflow_runs ' +
        'list_workflow_jobs list_workflow_run_artifacts get_workflow_run get_workflow_run_logs get_workflow_run_usage ' +
        'get_job_logs download_workflow_run_artifact get_code_scanning_alert list_code_scanning_alerts ' +
        'get_dependabot_alert list_dependabot_alerts get_secret_scanning_alert list_secret_scanning_alerts ' +
        'list_notifications get_notification_details get_discussion get_discussion_comments list_discussions ' +
        'list_discussion_categories get_gist list_gists get_project list_projects list_project_items ' +
        'list_project_fields get_project_item get_project_field get_global_security_advisory ' +
        'list_global_security_advisories',
      { effect: 'read', volatile: true },
    ),
    ...sameFor('create_issue add_issue_comment issue_write sub_issue_write add_sub_issue add_discussion_comment', {
      effect: 'write',
      target: [...REPOSITORY, '$.issue_number', '$.title'],
    }),
    ...sameFor('update_issue remove_sub_issue reprioritize_sub_issue', {
      effect: 'converging',
      target: [...REPOSITORY, '$.issue_number'],
    }),
    create_pull_request: {
      effect: 'write',
      key: [...REPOSITORY, '$.head', '$.base'],
      target: [...REPOSITORY, '$.head', '$.base'],
      outcome: { failed_when: [{ is_error: true }] },
    },
    merge_pull_request: {
      effect: 'write',
      key: [...REPOSITORY, '$.pullNumber'],
      target: [...REPOSITORY, '$.pullNumber'],
      outcome: { failed_when: [{ is_error: true }] },
    },
    ...sameFor(
      'update_pull_request update_pull_request_branch request_copilot_review create_pull_request_review ' +
        'pull_request_review_write add_comment_to_pending_review create_pending_pull_request_review ' +
        'submit_pending_pull_request_review delete_pending_pull_request_review create_and_submit_pull_request_review',
      { effect: 'write', target: [...REPOSITORY, '$.pullNumber'] },
    ),
    ...sameFor('create_branch', {
      effect: 'write',
      key: [...REPOSITORY, '$.branch'],
      target: [...REPOSITORY, '$.branch'],
    }),
    ...sameFor('create_or_update_file delete_file', {
      effect: 'write',
      target: [...REPOSITORY, '$.branch', '$.path'],
      outcome: { failed_when: [{ is_error: true }] },
    }),
    push_files: { effect: 'write', target: [...REPOSITORY, '$.branch'] },
    create_repository: { effect: 'write', key: ['$.name'], target: ['$.name'] },
    fork_repository: { effect: 'converging', target: REPOSITORY },
    ...sameFor('create_gist update_gist', { effect: 'write', target: ['$.filename'] }),
    ...sameFor('star_repository unstar_repository label_write', { effect: 'converging', target: REPOSITORY }),
    ...sameFor('dismiss_notification mark_all_notifications_read manage_notification_subscription', {
      effect: 'converging',
    }),
    ...sameFor(
      'run_workflow rerun_workflow_run rerun_failed_jobs cancel_workflow_run delete_workflow_run_logs ' +
        'actions_run_trigger assign_copilot_to_issue',
      { effect: 'write', target: REPOSITORY },
    ),
    add_project_item: { effect: 'write' },
    ...sameFor('update_project_item delete_project_item', { effect: 'converging' }),
  },
};

export const MCP_SLACK: ContractPack = {
  name: 'mcp-slack',
  version: 1,
  title: 'MCP server: Slack',
  source:
    'The source of the reference server (modelcontextprotocol/servers-archived, src/slack). A message sent twice is two messages.',
  contracts: {
    ...sameFor('slack_list_channels slack_get_channel_history slack_get_thread_replies slack_get_users', {
      effect: 'read',
      volatile: true,
    }),
    slack_get_user_profile: { effect: 'read', volatile: true },
    slack_post_message: {
      effect: 'write',
      key: ['$.channel_id', '$.text'],
      target: ['$.channel_id'],
      outcome: {
        succeeded_when: [{ json_path: '$.ok', equals: true }],
        failed_when: [{ json_path: '$.ok', equals: false }],
      },
    },
    slack_reply_to_thread: {
      effect: 'write',
      key: ['$.channel_id', '$.thread_ts', '$.text'],
      target: ['$.channel_id', '$.thread_ts'],
      outcome: {
        succeeded_when: [{ json_path: '$.ok', equals: true }],
        failed_when: [{ json_path: '$.ok', equals: false }],
      },
    },
    slack_add_reaction: { effect: 'converging', target: ['$.channel_id', '$.timestamp', '$.reaction'] },
  },
};

export const MCP_BRAVE_SEARCH: ContractPack = {
  name: 'mcp-brave-search',
  version: 1,
  title: 'MCP server: Brave Search',
  source: 'The source of the server (brave/brave-search-mcp-server). Every search counts against a quota.',
  contracts: sameFor(
    'brave_web_search brave_local_search brave_news_search brave_image_search brave_video_search brave_summarizer',
    { effect: 'read', volatile: true },
  ),
};

export const MCP_CONTEXT7: ContractPack = {
  name: 'mcp-context7',
  version: 1,
  title: 'MCP server: Context7',
  source: 'The tool list of upstash/context7.',
  contracts: sameFor('resolve-library-id get-library-docs query-docs', { effect: 'read', volatile: true }),
};
