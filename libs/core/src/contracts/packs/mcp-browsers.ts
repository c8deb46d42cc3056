import { type ContractPack, sameFor } from './contract-pack';

export const MCP_PUPPETEER: ContractPack = {
  name: 'mcp-puppeteer',
  version: 1,
  title: 'MCP server: Puppeteer',
  source:
    'The source of the reference server (modelcontextprotocol/servers-archived, src/puppeteer). A step in a page may do ' +
    'anything that the page does with it.',
  contracts: {
    puppeteer_navigate: { effect: 'converging', target: ['$.url'] },
    puppeteer_screenshot: { effect: 'read', refetch: false, volatile: true },
    ...sameFor('puppeteer_click puppeteer_fill puppeteer_select puppeteer_hover', {
      effect: 'write',
      target: ['$.selector'],
    }),
    puppeteer_evaluate: { effect: 'exec', target: ['$.script'] },
  },
};

export const MCP_PLAYWRIGHT: ContractPack = {
  name: 'mcp-playwright',
  version: 1,
  title: 'MCP server: Playwright',
  source:
    'The tool list of microsoft/playwright-mcp. Its readOnlyHint is a claim: what a page shows is read, but a snapshot ' +
    'cannot be taken again once the page has moved on. A step in a page may do anything that the page does with it.',
  contracts: {
    ...sameFor('browser_snapshot browser_take_screenshot browser_console_messages browser_network_requests', {
      effect: 'read',
      refetch: false,
      volatile: true,
    }),
    browser_wait_for: { effect: 'read', refetch: false, volatile: true },
    browser_navigate: { effect: 'converging', target: ['$.url'] },
    ...sameFor('browser_navigate_back browser_navigate_forward browser_resize browser_close browser_install', {
      effect: 'converging',
    }),
    ...sameFor('browser_click browser_type browser_hover browser_drag browser_select_option browser_fill_form', {
      effect: 'write',
      target: ['$.element'],
    }),
    ...sameFor('browser_press_key browser_file_upload browser_handle_dialog', { effect: 'write' }),
    browser_tabs: { effect: 'converging', read_when: [{ json_path: '$.action', equals: 'list' }] },
    ...sameFor('browser_evaluate browser_run_code', { effect: 'exec' }),
  },
};
