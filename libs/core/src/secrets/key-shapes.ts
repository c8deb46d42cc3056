import type { SecretSpan } from './secret-span';

interface KeyShape {
  readonly kind: string;
  /** One of these stands in every text that the pattern matches. */
  readonly beginnings: readonly string[];
  /** Matches without look-behind of more than one character and with bounded repeats; group 1 is the secret. */
  readonly pattern: RegExp;
  /** Also demanded of the secret. */
  readonly holds?: (secret: string) => boolean;
}

/**
 * Issuers mark their keys with a prefix; what follows is dense. Publishable keys and ids of objects are no secrets.
 * Without one of the beginnings in a text its pattern is not tried: looking for a word costs next to nothing.
 */
const PREFIXED: readonly (readonly [kind: string, beginnings: string, pattern: string])[] = [
  ['aws_key', 'AKIA ASIA ABIA ACCA', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])'],
  ['google_key', 'AIza ya29. GOCSPX-', 'AIza[\\w-]{35}|ya29\\.[\\w-]{20,400}|GOCSPX-[\\w-]{20,60}'],
  ['github_token', 'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_', 'gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\\w{22,255}'],
  [
    'gitlab_token',
    'glpat- gldt- glrt- glptt- glsoat- glcbt- glagent- glft- glimt-',
    'gl(?:pat|dt|rt|ptt|soat|cbt|agent|ft|imt)-[\\w.-]{20,300}',
  ],
  ['slack_token', 'xox xapp-', 'xox[abceoprs](?:\\.xox[a-z])?-[\\w-]{10,300}|xapp-[\\w-]{10,300}'],
  [
    'stripe_key',
    'sk_live_ sk_test_ rk_live_ rk_test_ whsec_',
    '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9+/=]{16,255}',
  ],
  ['huggingface_token', 'hf_ api_org_', 'hf_[A-Za-z0-9]{30,60}|api_org_[A-Za-z0-9]{30,60}'],
  ['holdfast_key', 'hf_live_ hf_test_', 'hf_(?:live|test)_[A-Za-z0-9]{50}'],
  ['npm_token', 'npm_', 'npm_[A-Za-z0-9]{36,60}'],
  ['pypi_token', 'pypi-', 'pypi-[\\w-]{16,300}'],
  ['sendgrid_key', 'SG.', 'SG\\.[\\w-]{16,80}\\.[\\w-]{16,80}'],
  ['digitalocean_token', '_v1_', 'do[opr]_v1_[a-f0-9]{40,64}'],
  ['shopify_token', 'shpat_ shpca_ shppa_ shpss_ shpua_', 'shp(?:at|ca|pa|ss|ua)_[A-Fa-f0-9]{32}'],
  ['square_token', 'sq0', 'sq0(?:atp|csp|idp)-[\\w-]{22,60}'],
  ['databricks_token', 'dapi', 'dapi[a-f0-9]{32}(?:-\\d)?'],
  ['mailgun_key', 'key-', 'key-[0-9a-f]{32}(?![0-9a-f])'],
  ['linear_key', 'lin_api_ lin_oauth_', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,64}'],
  ['notion_token', 'ntn_ secret_', 'ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])'],
  ['vault_token', 'hvs. hvb. hvr.', 'hv[sbr]\\.[\\w-]{20,300}'],
  ['terraform_token', '.atlasv1.', '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,90}'],
  ['grafana_token', 'glsa_ glc_', 'gl(?:sa|c)_[A-Za-z0-9+/=_]{32,300}'],
  ['supabase_key', 'sbp_ sb_secret_', 'sbp_[a-f0-9]{40}|sb_secret_[\\w-]{20,80}'],
  [
    'api_key',
    'gsk_ xai- pplx- r8_ tvly- fc- csk- nvapi- vck_ re_',
    '(?:gsk_|xai-|pplx-|r8_|tvly-|fc-|csk-|nvapi-|vck_|re_[A-Za-z0-9]{8}_)[A-Za-z0-9_-]{20,200}',
  ],
  ['airtable_token', 'pat', 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}'],
  ['newrelic_key', 'NRAK-', 'NRAK-[A-Z0-9]{27}'],
  ['postman_key', 'PMAK-', 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}'],
  ['docker_token', 'dckr_', 'dckr_(?:pat|oat)_[\\w-]{20,60}'],
  ['planetscale_token', 'pscale_', 'pscale_(?:pw|tkn|oauth)_[\\w.=-]{20,80}'],
  ['rubygems_key', 'rubygems_', 'rubygems_[a-f0-9]{48}'],
  ['age_key', 'AGE-SECRET-KEY-1', 'AGE-SECRET-KEY-1[A-Z0-9]{58}'],
  ['doppler_token', 'dp.', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{36,80}'],
  ['atlassian_token', 'ATATT3x ATCTT3x', 'AT(?:ATT|CTT)3x[\\w=-]{50,300}'],
];

/** A prefix that says "secret" and where it holds: `tkn_live_...`, `api_prod_...`. */
const ENVIRONMENT_KEY =
  /(?<![A-Za-z0-9])((?:sk|rk|tk|tkn|tok|token|key|apikey|api|api_key|secret|sec|pat|auth|access|priv|cred)[_-](?:live|test|prod|production|staging|stg|dev|sandbox|secret|v[12])[_-][A-Za-z0-9_-]{12,200})/gu;

const ENVIRONMENTS = ['live', 'test', 'prod', 'stag', 'stg', 'dev', 'sandbox', 'secret', 'v1', 'v2'].flatMap((name) => [
  `_${name}`,
  `-${name}`,
]);

/** `sk-...` of model providers, with the segments that they put between. */
const MODEL_KEY = /(?<![A-Za-z0-9])(sk-(?:[a-z]{2,8}\d{0,2}-){0,3}[A-Za-z0-9_-]{16,300})/gu;

const SHAPES: readonly KeyShape[] = [
  ...PREFIXED.map(([kind, beginnings, pattern]): KeyShape => ({
    kind,
    beginnings: beginnings.split(' '),
    pattern: new RegExp(`(?<![A-Za-z0-9_])(${pattern})`, 'gu'),
  })),
  { kind: 'api_key', beginnings: ENVIRONMENTS, pattern: ENVIRONMENT_KEY, holds: isDense },
  { kind: 'api_key', beginnings: ['sk-'], pattern: MODEL_KEY, holds: isDense },
  // One look-behind: a run of base64url characters starts once, however often `eyJ` stands in it.
  {
    kind: 'jwt',
    beginnings: ['eyJ'],
    pattern: /(?<![\w-])(eyJ[\w-]{8,4000}\.[\w-]{8,8000}(?:\.[\w-]{0,4000}){1,3})/gu,
  },
  { kind: 'telegram_token', beginnings: [':AA'], pattern: /(?<![\w:])(\d{8,10}:AA[\w-]{33})(?![\w-])/gu },
  {
    kind: 'webhook_url',
    beginnings: ['hooks.slack.com/'],
    pattern: /hooks\.slack\.com\/(?:services|workflows)\/([A-Z0-9]{6,14}\/[A-Z0-9]{6,14}\/\w{12,60})/gu,
  },
  {
    kind: 'webhook_url',
    beginnings: ['webhooks/'],
    pattern: /discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{10,24}\/([\w-]{30,100})/gu,
  },
];

/** Keys by their shape alone, whatever stands around them. */
export function findShapedKeys(text: string): readonly SecretSpan[] {
  const present = SHAPES.filter(({ beginnings }) => beginnings.some((each) => text.includes(each)));
  return present.flatMap(({ kind, pattern, holds }) =>
    [...text.matchAll(pattern)].flatMap((match): readonly SecretSpan[] => {
      const secret = match[1] ?? '';
      if (holds !== undefined && !holds(secret)) return [];
      const start = match.index + match[0].indexOf(secret);
      return [{ kind, start, end: start + secret.length }];
    }),
  );
}

/** The last word of a key is random: letters and digits mixed in one run of 10 or more, as no spoken name has. */
export function isDense(secret: string): boolean {
  return secret.split(/[_-]/u).some((run) => run.length >= 10 && /\d/u.test(run) && /[A-Za-z]/u.test(run));
}
